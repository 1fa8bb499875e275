/**
 * Listens in the command's own network namespace, hands that socket over, and becomes the command.
 * For Perl without modules: `Socket` alone takes longer to load than all of this. It runs inside the
 * sandbox, behind its filter, without any variable of the command, and what it opened closes with it.
 *
 * Arguments: the number of the system call sendmsg, the descriptor of the environment, that of the
 * channel, the marker of the command, how many variables name the port, and the command. The
 * environment is `NAME=value`, each ended by NUL; byte 1 in the first ones stands for the port. Its own
 * failures begin with `unroll-door:` on stderr and exit with 71.
 */
export const doorProgram: string = String.raw`
my ($sendmsg, $environment, $channel, $marker, $count) = splice(@ARGV, 0, 5);
sub fail { print STDERR "unroll-door: $_[0]: $!\n"; exit 71 }
sub take { open(my $taken, "+<&=", $_[0]) or fail("descriptor $_[0]"); return $taken }
$^F = 2;
{
  my ($wire, $file) = (take($channel), take($environment));
  local $/;
  my @variables = split(/\0/, <$file>);
  socket(my $listener, 2, 1, 0) or fail("socket");
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
