/**
 * Listens in the command's own network namespace, hands that socket over, and becomes the command.
 * For Perl without modules: `Socket` alone takes longer to load than all of this. It runs inside the
 * sandbox, behind its filter, without any variable of the command, and what it opened closes with it.
 *
 * Arguments: the marker of the command, the number of the system call sendmsg, the descriptor of the
 * channel, how many variables name the port, how many there are, and the command. Variables are
 * `NAME=value`, in u0, u1 and so on; byte 1 in the first ones stands for the port. Its own failures
 * begin with `unroll-door:` on stderr and exit with 71.
 *
 * Its connections never leave the machine, so they use reno, which every kernel allows: where BBR is the
 * default, a timer for each 64 KiB took a third of the proxy's time. Without reno they keep the default.
 */
export const doorProgram: string = String.raw`
my ($marker, $sendmsg, $channel, $count, $all) = splice(@ARGV, 0, 5);
sub fail { print STDERR "unroll-door: $_[0]: $!\n"; exit 71 }
$^F = 2;
{
  open(my $wire, "+<&=", $channel) or fail("descriptor $channel");
  my @variables = map { $ENV{"u$_"} } 0 .. $all - 1;
  socket(my $listener, 2, 1, 0) or fail("socket");
  setsockopt($listener, 6, 13, "reno");
  bind($listener, pack("S n a4 x8", 2, 0, "\x7f\0\0\1")) or fail("bind");
  listen($listener, 511) or fail("listen");
  my $port = unpack("x2 n", getsockname($listener));
  my $text = qq({"cmd":"NODE_HANDLE","type":"net.Native","msg":{"marker":"$marker"}}\n);
  my $vector = pack("P Q", $text, length $text);
  my $control = pack("Q l l l x4", 20, 1, 1, fileno($listener));
  my $message = pack("Q L x4 P Q P Q i x4", 0, 0, $vector, 1, $control, length $control, 0);
  syscall($sendmsg + 0, fileno($wire), $message, 0) == length $text or fail("sendmsg");
  s/\x01/$port/g for @variables[0 .. $count - 1];
  %ENV = map { split(/=/, $_, 2) } @variables;
}
exec { $ARGV[0] } @ARGV or fail("exec $ARGV[0]");
`;

/** Stands for the port in a variable. */
export const portMark = "\u0001";

/** The numbers of the system call sendmsg. */
export const sendmsgNumbers = { x64: 46, arm64: 211 } as const;

/**
 * The way of git's ssh out of the sandbox, for Perl: asks the proxy for a tunnel, hands the connection
 * over to ssh, and ends. Arguments: the port of the proxy, host, port, the number of sendmsg.
 */
export const tunnelProgram: string = String.raw`my ($port, $host, $to, $sendmsg) = @ARGV; socket(my $s, 2, 1, 0); connect($s, pack("S n a4 x8", 2, $port, "\x7f\0\0\1")) or die "unroll: no proxy\n"; syswrite($s, "CONNECT $host:$to HTTP/1.1\r\nHost: $host:$to\r\n\r\n"); my $head = ""; while ($head !~ /\r\n\r\n/) { sysread($s, $head, 1, length $head) or last } if ($head !~ m{^HTTP/1.1 200 }) { local $/; print STDERR "unroll: ", scalar <$s>; exit 1 } my $t = "\0"; my $v = pack("P Q", $t, 1); my $c = pack("Q l l l x4", 20, 1, 1, fileno $s); my $m = pack("Q L x4 P Q P Q i x4", 0, 0, $v, 1, $c, length $c, 0); syscall($sendmsg + 0, 1, $m, 0) == 1 or die "unroll: sendmsg: $!\n"`;
