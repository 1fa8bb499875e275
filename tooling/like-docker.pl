#!/usr/bin/perl
# like-docker.pl [--namespaces] COMMAND...: runs a command as Docker's default options would: with its capabilities, its
# refused system calls, and its masks over /proc and /sys. --namespaces: as with --security-opt seccomp=unconfined.
# There is no Docker on our build machines. The facts: "Default capabilities" and "Seccomp security profiles" of Docker's documentation, masked and read-only paths of runc.
use strict;
use warnings;

my $has_namespaces = @ARGV && $ARGV[0] eq "--namespaces" && shift;
my $is_arm = `uname -m` =~ /aarch64/;
my ($audit, $prctl, $unshare, $mount) = $is_arm ? (0xc00000b7, 167, 97, 40) : (0xc000003e, 157, 272, 165);
sub fail { print STDERR "like-docker.pl: $_[0]: $!\n"; exit 71 }

my %number = ( # x64, arm64
  bpf => [321, 280], clone => [56, 220], clone3 => [435, 435], fsconfig => [431, 431], fsmount => [432, 432], fsopen => [430, 430],
  fspick => [433, 433], io_uring_setup => [425, 425], keyctl => [250, 219], add_key => [248, 217], request_key => [249, 218],
  mount => [165, 40], mount_setattr => [442, 442], move_mount => [429, 429], open_by_handle_at => [304, 265], open_tree => [428, 428],
  perf_event_open => [298, 241], pivot_root => [155, 41], setns => [308, 268], umount2 => [166, 39], unshare => [272, 97],
  userfaultfd => [323, 282],
);
sub call { $number{$_[0]}[$is_arm ? 1 : 0] }

# chown, dac_override, fowner, fsetid, kill, setgid, setuid, setpcap, net_bind_service, net_raw, sys_chroot, mknod, audit_write, setfcap
my %kept = map { $_ => 1 } 0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31;
my $new_namespaces = 0x7e020000;
my ($eperm, $enosys) = (1, 38);

sub step { pack "SCCL", @_ }
sub refuse { step(0x06, 0, 0, 0x00050000 | $_[0]) }
my $allow = step(0x06, 0, 0, 0x7fff0000);
my @filter = (step(0x20, 0, 0, 4), step(0x15, 1, 0, $audit), refuse($eperm), step(0x20, 0, 0, 0));
push @filter, step(0x15, 0, 1, call($_)), refuse($eperm) for grep { !/^clone/ } sort keys %number;
push @filter, step(0x15, 0, 1, call("clone3")), refuse($enosys);
push @filter, step(0x15, 0, 3, call("clone")), step(0x20, 0, 0, 16), step(0x45, 0, 1, $new_namespaces), refuse($eperm), $allow;

sub place { my ($from, $to, $type, $flags, $data) = @_; syscall($mount, $from, $to, $type, $flags, $data) == 0 }
my ($read_only, $remount, $bind, $recursive, $private) = (1, 32, 4096, 16384, 1 << 18);
syscall($unshare, 0x20000) == 0 or fail("unshare");
place("none", "/", "none", $recursive | $private, 0) or fail("mount /");
for my $path (map("/proc/$_", qw(acpi asound kcore keys latency_stats timer_list timer_stats sched_debug scsi)), "/sys/firmware") {
  next unless -e $path;
  (-d $path ? place("tmpfs", $path, "tmpfs", $read_only, "size=0k") : place("/dev/null", $path, "none", $bind, 0)) or fail($path);
}
for my $path (map("/proc/$_", qw(bus fs irq sys sysrq-trigger)), "/sys", "/sys/fs/cgroup") {
  next unless -e $path;
  place($path, $path, "none", $bind | $recursive, 0) && place("none", $path, "none", $bind | $remount | $read_only, 0) or fail($path);
}

$kept{$_} or syscall($prctl, 24, $_, 0, 0, 0) for 0 .. 63; # those that the kernel does not know are refused
my $program = join "", @filter;
my $header = pack("S x6 P", scalar @filter, $program);
$has_namespaces or syscall($prctl, 22, 2, $header, 0, 0) == 0 or fail("seccomp");
exec { $ARGV[0] } @ARGV or fail("exec $ARGV[0]");
