/**
 * Watches folders by inotify(7), and says what changed when it is asked: what happens meanwhile waits in the kernel, and costs
 * nobody anything. Perl, because Node has only `fs.watch`, which does not tell when the kernel's queue ran over, shares that
 * queue with all watches of the process, and is woken by each write to a file. Arguments: the numbers of inotify_init1,
 * inotify_add_watch and inotify_rm_watch. It reads words that NUL ends: `+PATH` watches a folder, `-PATH` no longer, `?` asks.
 * An answer is words that NUL ends, and an empty one: `FOLDER/NAME` for a name in it that came or went and matters to git,
 * `FOLDER/` for a folder that left its place or was given other rights, `-PATH` for one that is closed to us, `overflow` when changes were lost,
 * `failed` when there can be no more watches. It ends with its input.
 */
export const watchProgram = `
use strict;
my ($init, $add, $remove) = map { $_ + 0 } @ARGV;
# Not to wait when there is nothing to read, and not to be handed on.
my $fd = syscall($init, 04000 | 02000000);
exit 1 if $fd < 0;
open(my $queue, "<&=", $fd) or exit 1;
binmode $_ for $queue, *STDIN, *STDOUT;
# Names: made, removed, moved away, moved here, given other rights. The folder itself: removed, moved. No file, no link.
my $mask = 0x4 | 0x100 | 0x200 | 0x40 | 0x80 | 0x400 | 0x800 | 0x1000000 | 0x2000000;
my ($isFolder, $overflow) = (0x40000000, 0x4000);
# Removed, moved, unmounted, no longer watched.
my $itself = 0x400 | 0x800 | 0x2000 | 0x8000;
my %matters = map { $_ => 1 } qw(.git HEAD commondir objects refs);
my (%path, %watch, %answer);

sub watch {
  my ($place) = @_;
  my $number = syscall($add, $fd, $place, $mask);
  if ($number >= 0) { $path{$number} = $place; $watch{$place} = $number; return }
  my $error = $! + 0;
  # Not there, or no folder any more: of that the folder around it tells.
  return if $error == 2 || $error == 20;
  # No memory, no more watches.
  $answer{$error == 12 || $error == 28 ? "failed" : "-$place"} = 1;
}

sub forget {
  my ($place) = @_;
  my $number = delete $watch{$place};
  # By now it may be what another path leads to.
  return if !defined $number || $path{$number} ne $place;
  delete $path{$number};
  syscall($remove, $fd, $number);
}

sub take {
  my ($number, $what, $name) = @_;
  if ($what & $overflow) { $answer{overflow} = 1; return }
  my $place = $path{$number};
  return unless defined $place;
  if ($what & $itself) { $answer{"$place/"} = 1 }
  elsif ($what & $isFolder || $matters{$name}) { $answer{"$place/$name"} = 1 }
}

sub drain {
  my $left = 100_000;
  while (my $size = sysread($queue, my $bytes, 65536)) {
    for (my $at = 0; $at < $size; $left--) {
      my ($number, $what, undef, $length) = unpack("lLLL", substr($bytes, $at, 16));
      take($number, $what, unpack("Z*", substr($bytes, $at + 16, $length)));
      $at += 16 + $length;
    }
    if ($left < 0) { $answer{overflow} = 1; return }
  }
}

$| = 1;
local $/ = "\\0";
while (defined(my $word = <STDIN>)) {
  chomp $word;
  my ($verb, $place) = (substr($word, 0, 1), substr($word, 1));
  if ($verb eq "+") { watch($place) }
  elsif ($verb eq "-") { forget($place) }
  else {
    drain();
    print join("\\0", keys %answer, ""), "\\0";
    %answer = ();
  }
}
`;
