import { findSystemProgram } from "../program/find-system-program.ts";

/**
 * Process 1 of a container gets every process whose parent has ended, and Node.js never waits for those: they would stay
 * zombies until the container can start nothing any more. So a small program takes that place: it starts Node.js again as
 * its child, waits for all, passes signals on, and ends as the child ends. For Perl without modules, which every Debian
 * has. The child gets a group of its own and the terminal, so that ^C reaches it once.
 */
const init = String.raw`
my $child = 0;
my @early;
for my $name (qw(TERM INT HUP QUIT USR1 USR2 WINCH CONT ALRM)) {
  $SIG{$name} = sub { $child ? kill($name, $child) : push(@early, $name) };
}
defined($child = fork) or do { $child = 0; print STDERR "unroll: cannot fork: $!\n"; exit 71 };
if (!$child) {
  setpgrp(0, 0);
  $SIG{TTOU} = "IGNORE";
  ioctl(STDIN, 0x5410, pack("i", $$)) if -t STDIN;
  $SIG{TTOU} = "DEFAULT";
  exec { $ARGV[0] } @ARGV;
  print STDERR "unroll: cannot start $ARGV[0]: $!\n";
  exit 71;
}
kill($_, $child) for @early;
while ((my $ended = wait) != -1) {
  exit($? & 127 ? 128 + ($? & 127) : $? >> 8) if $ended == $child;
}
`;

/** A Node.js process, from its start on. */
type OwnProcess = Pick<NodeJS.Process, "pid" | "platform" | "execPath" | "execArgv" | "argv" | "env" | "execve">;

/**
 * As process 1 of a container, replaces this process by an init that starts it again as its child. Returns only where it
 * stays what it is: a sentence for the user, or null if there is nothing to report.
 */
export function becomeChildOfInit(self: OwnProcess): string | null {
  if (self.pid !== 1 || self.platform !== "linux") return null;
  const perl = findSystemProgram("perl");
  if (perl === null || typeof self.execve !== "function")
    return "this is process 1 of a container, and nothing here ends processes that others leave behind. Start the container with an init (docker run --init), or install perl.";
  const again = [self.execPath, ...self.execArgv, ...self.argv.slice(1)];
  self.execve(perl, [perl, "-e", init, "--", ...again], self.env);
  return null;
}
