/**
 * The program of a starter, for Perl without modules. Unlike a shell, Perl has pipes, exact bytes
 * and exact statuses, and it is small, so that its `fork` costs little. `@ARGV`: mark and grace as
 * for `endScript`, the number of the system call setsid, a shell, `endScript`, the place at which the
 * channel on descriptor 3 is lent, with the secret for it and the number of the system call sendmsg
 * (empty: there is no channel), the files of a control group that let a process join it and, as many,
 * those that let it leave.
 *
 * Standard input: messages, each a length and its fields, each with its length (32 bits,
 * big-endian). Standard output: lines. It keeps its ends of the pipes until the harness has opened
 * them through /proc. It waits for processes (pidfd_open, which is 434 on every machine: no signal
 * can be missed) and reports how they ended. At the end of its input it becomes the shell that ends
 * what is left, unless a message said that everything is over. Before that it leaves the group, and
 * ends and removes it itself: if commands use all the processes that they may, a shell could not
 * start. It acknowledges a request before it does anything for it.
 */
export const starterProgram: string = String.raw`
$0 = "unroll-starter";
$^F = 2;
$SIG{PIPE} = sub {};
my ($mark, $grace, $setsid, $shell, $end, $channel, @joins) = @ARGV;
my @leaves = splice(@joins, @joins / 2);
my ($wire, $hatch, %guests);
my ($name, $secret, $sendmsg) = split(/ /, $channel);
if ($channel) {
  # Out of the way of the descriptors of a command, and closed in each that is not to have it.
  open(my $given, "+<&=", 3) or exit 1;
  open($wire, "+<&=", fcntl($given, 1030, 256)) or exit 1;
  socket($hatch, 1, 1, 0) && bind($hatch, pack("S a*", 1, "\0$name")) && listen($hatch, 8) or exit 1;
}
my ($starter, $harness, $input, $over, $waiting) = ($$, getppid(), "", 0, "");
my (%targets, %kept, %running);

sub report { syswrite(STDOUT, join(" ", @_) . "\n") }

sub move {
  open(my $members, ">", $_[0]) or return 0;
  return syswrite($members, $$);
}

sub list_others {
  open(my $members, "<", $_[0]) or return;
  return grep { $_ > 0 && $_ != $$ } <$members>;
}

# With those in it, the innermost first.
sub list_groups {
  my ($folder) = @_;
  opendir(my $entries, $folder) or return;
  my @inner = grep { !/^\.\.?$/ && -d "$folder/$_" } readdir($entries);
  return ((map { list_groups("$folder/$_") } @inner), $folder);
}

sub end_group {
  move($_) for @leaves;
  for (1 .. 200) {
    # One that is just ending is not listed any more, and holds its group for a moment.
    my @left = grep { !rmdir($_) && -d $_ } map { list_groups(s{/[^/]*$}{}r) } @joins or last;
    kill("KILL", map { list_others("$_/cgroup.procs") } @left);
    select(undef, undef, undef, 0.01);
  }
}

sub await_end {
  my ($id, $pid) = @_;
  my $fd = syscall(434, $pid + 0, 0);
  open(my $handle, "<&=", $fd) or return 0;
  $running{$fd} = [$id, $pid, $handle];
  vec($waiting, $fd, 1) = 1;
}

sub report_end {
  my ($id, $pid) = @{ delete $running{$_[0]} };
  vec($waiting, $_[0], 1) = 0;
  waitpid($pid, 0);
  report("ended", $id, $?);
}

sub start {
  my ($id, $has_input, $ends_first, $cwd, $file, $descriptors, $count, @rest) = @_;
  report("taken", $id);
  my @environment = splice(@rest, 0, $count);
  my ($their_input, $in) = (undef, undef);
  pipe(my $out, my $their_out) && pipe(my $error, my $their_error) && pipe(my $failure, my $their_failure)
    && ($has_input ? pipe($their_input, $in) : open($their_input, "<", "/dev/null")) or return report("refused", $id);
  defined(my $pid = fork()) or return report("refused", $id);
  if (!$pid) {
    syscall($setsid + 0);
    if ($ends_first && open(my $score, ">", "/proc/self/oom_score_adj")) { syswrite($score, "1000") }
    open(STDIN, "<&", $their_input); open(STDOUT, ">&", $their_out); open(STDERR, ">&", $their_error);
    my $complaint = $their_failure;
    my @wanted = split(/,/, $descriptors);
    if (@wanted) {
      my $high = fcntl($their_failure, 1030, 256);
      if ($high && open(my $moved, ">&=", $high)) { $complaint = $moved }
      undef $hatch;
      undef $_ for $their_input, $their_out, $their_error, $their_failure, $in, $out, $error, $failure;
      (%kept, %running, %guests) = ();
      $^F = 255;
    }
    my @files;
    for (@wanted) {
      if ($_ eq "channel") {
        my $copy = $wire ? fcntl($wire, 0, 3 + @files) : 0;
        $copy == 3 + @files ? push(@files, $copy) : last;
        next;
      }
      sysopen(my $opened, "/proc/$harness/fd/$_", 2) or last;
      last if fileno($opened) != 3 + @files;
      push @files, $opened;
    }
    # Once the starter has ended, its descriptors may be others by now.
    if (@files == @wanted && chdir($cwd) && getppid() == $starter) {
      %ENV = ();
      for (@environment) { my ($name, $value) = split(/=/, $_, 2); $ENV{$name} = $value }
      exec { $file } @rest;
    }
    syswrite($complaint, "!");
    kill("KILL", $$);
  }
  undef $their_failure;
  if (sysread($failure, my $said, 1)) { waitpid($pid, 0); return report("refused", $id) }
  if (!await_end($id, $pid)) { kill("KILL", -$pid); waitpid($pid, 0); return report("lost", $id) }
  $targets{-$pid} = 1;
  $kept{$id} = [$out, $error, $in];
  report("started", $id, $pid, map { defined $_ ? fileno($_) : () } $out, $error, $in);
}

# Lends the channel to a process that it did not start, such as that of a terminal.
sub lend {
  my $guest = delete $guests{$_[0]};
  vec($waiting, $_[0], 1) = 0;
  sysread($guest, my $said, 256);
  return if $said ne $secret;
  my $text = "+";
  my $vector = pack("P Q", $text, 1);
  my $control = pack("Q l l l x4", 20, 1, 1, fileno($wire));
  my $message = pack("Q L x4 P Q P Q i x4", 0, 0, $vector, 1, $control, length $control, 0);
  syscall($sendmsg + 0, fileno($guest), $message, 0);
}

sub receive {
  accept(my $guest, $hatch) or return;
  return if keys %guests >= 16;
  $guests{fileno($guest)} = $guest;
  vec($waiting, fileno($guest), 1) = 1;
}

sub obey {
  my ($verb, @fields) = @_;
  delete @kept{"trial", "trial input"};
  if ($verb eq "start") { start(@fields) }
  elsif ($verb eq "opened") { delete $kept{$fields[0]} }
  elsif ($verb eq "watch") { $targets{$fields[0]} = 1 }
  elsif ($verb eq "forget") { delete $targets{$fields[0]} }
  elsif ($verb eq "over") { $over = 1 }
}

for (@joins) { move($_) or exit 1 }
my $self = syscall(434, $$ + 0, 0);
exit 1 if $self < 0;
open(my $own, "<&=", $self);
close($own);
pipe(my $trial, $kept{"trial input"}) or exit 1;
report("ready", fileno($kept{"trial"} = $trial));
undef $trial;
vec($waiting, 0, 1) = 1;
vec($waiting, fileno($_), 1) = 1 for grep { $_ } $wire, $hatch;
while (1) {
  select(my $ready = $waiting, undef, undef, undef) > 0 or next;
  for (grep { vec($ready, $_, 1) } keys %running) { report_end($_) }
  for (grep { vec($ready, $_, 1) } keys %guests) { lend($_) }
  receive() if $hatch && vec($ready, fileno($hatch), 1);
  # Node acknowledges each socket; its end is that of the input, too.
  if ($wire && vec($ready, fileno($wire), 1)) {
    sysread($wire, my $heard, 1 << 16) or vec($waiting, fileno($wire), 1) = 0;
  }
  next unless vec($ready, 0, 1);
  sysread(STDIN, $input, 1 << 20, length($input)) or last;
  while (length($input) >= 4 && length($input) >= 4 + unpack("N", $input)) {
    my $size = unpack("N", $input);
    obey(unpack("(N/a*)*", substr($input, 4, $size)));
    substr($input, 0, 4 + $size) = "";
  }
}
exit 0 if $over;
end_group();
exec($shell, "-c", $end, $mark, $grace, keys %targets);
`;
