/**
 * Confines itself with Landlock and seccomp, then becomes the command. Perl, because a system call needs no compiler
 * there and perl-base is on every Debian and Ubuntu. It reads from descriptor 3 the filter, from 4 the environment, as
 * `NAME=value` ended by NUL; arguments: the architecture, the bits of the capabilities that
 * root keeps, writable paths, `--`, the command. Its own failures begin with
 * `unroll-landlock:` on stderr and exit with 71. The kernel's interfaces: landlock(7), prctl(2), capset(2).
 */
export const landlockProgram = `
use strict;
my ($landlock_create, $landlock_add, $landlock_restrict) = (444, 445, 446);
my ($prctl, $openat, $capset) = shift eq "arm64" ? (167, 56, 91) : (157, 257, 126);
sub fail { print STDERR "unroll-landlock: $_[0]: $!\\n"; exit 71 }
sub control { my ($what, $value) = @_; syscall($prctl, $what, $value, 0, 0, 0) }
sub slurp { my ($fd) = @_; local $/; open(my $file, "<&=", $fd) or fail("descriptor $fd"); binmode $file; my $all = <$file>; close $file; $all // "" }

my $kept = shift;
my @writable;
while (@ARGV) { my $word = shift; last if $word eq "--"; push @writable, $word }
my $filter = slurp(3);
%ENV = map { split /=/, $_, 2 } split /\\0/, slurp(4);

control(38, 1) == 0 or fail("no_new_privs");
if ($> == 0) { $kept >> $_ & 1 or control(24, $_) for 0 .. 63 }

my $version = syscall($landlock_create, 0, 0, 1);
fail("this kernel's Landlock is too old ($version)") if $version < 3;
my $everything = $version >= 5 ? 0xffff : 0x7fff;
my $scopes = $version >= 6 ? 3 : 0;
my $attributes = pack("QQQ", $everything, 0, $scopes);
my $ruleset = syscall($landlock_create, $attributes, $version >= 6 ? 24 : $version >= 4 ? 16 : 8, 0);
fail("landlock_create_ruleset") if $ruleset < 0;
sub allow {
  my ($path, $rights) = @_;
  my $name = "$path\\0";
  my $fd = syscall($openat, -100, $name, 010000000 | 02000000, 0);
  return if $fd < 0;
  # Of a file only: execute, write, read, truncate, ioctl.
  $rights &= 0xc007 unless -d $path;
  my $rule = pack("Ql", $rights & $everything, $fd);
  syscall($landlock_add, $ruleset, 1, $rule, 0) == 0 or fail("landlock_add_rule $path");
}
allow("/", 1 | 4 | 8);
allow($_, 2 | 4 | 8 | 0xc000) for qw(/dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty /dev/ptmx /dev/pts);
allow($_, $everything) for @writable;
syscall($landlock_restrict, $ruleset, 0) == 0 or fail("landlock_restrict_self");

if ($> == 0) {
  my $header = pack("LL", 0x20080522, 0);
  my $sets = pack("LLLLLL", $kept, $kept, 0, 0, 0, 0);
  syscall($capset, $header, $sets) == 0 or fail("capset");
}
my $program = pack("S x6 P", length($filter) / 8, $filter);
syscall($prctl, 22, 2, $program, 0, 0) == 0 or fail("seccomp");
exec { $ARGV[0] } @ARGV or fail("exec $ARGV[0]");
`;
