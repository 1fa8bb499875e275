import { readlinkSync } from "node:fs";
import { arch } from "node:os";
import { findSystemProgram } from "../program/find-system-program.ts";
import type { ProcessLaunch } from "./process-launch.ts";

/** Where a process that we cannot give descriptors asks for the channel on which it hands over a socket. */
export interface LentChannel {
  /** An abstract name of a Unix socket. */
  readonly name: string;
  readonly secret: string;
  /** Call it when the process has ended. */
  readonly release: () => void;
}

/** The numbers of the system calls sendmsg and recvmsg. */
export const messageCalls: Readonly<Partial<Record<NodeJS.Architecture, readonly [send: number, receive: number]>>> = {
  x64: [46, 47],
  arm64: [211, 212],
};

/**
 * Opens descriptors of the harness as 3 and up, fetches the channel as the next one, and becomes the
 * program. Its failures begin with `unroll-door:` and exit with 71, as those of the launcher do.
 */
const borrower = String.raw`
my ($harness, $wanted, $name, $secret, $recvmsg) = splice(@ARGV, 0, 5);
sub fail { print STDERR "unroll-door: $_[0]: $!\n"; exit 71 }
$^F = 255;
my @files;
for (split(/,/, $wanted)) {
  sysopen(my $opened, "/proc/$harness/fd/$_", 2) or fail("descriptor $_");
  fileno($opened) == 3 + @files or fail("descriptor $_");
  push @files, $opened;
}
socket(my $socket, 1, 1, 0) or fail("socket");
connect($socket, pack("S a*", 1, "\0$name")) or fail("connect");
syswrite($socket, $secret);
my ($text, $control) = ("." x 1, "\0" x 24);
my $vector = pack("P Q", $text, 1);
my $message = pack("Q L x4 P Q P Q i x4", 0, 0, $vector, 1, $control, length $control, 0);
syscall($recvmsg + 0, fileno($socket), $message, 0) == 1 or fail("recvmsg");
open(my $channel, "+<&=", unpack("x16 l", $control)) or fail("channel");
close($socket);
my $copy = fcntl($channel, 0, 3 + @files);
$copy == 3 + @files or fail("channel");
close($channel);
exec { $ARGV[0] } @ARGV or fail("exec $ARGV[0]");
`;

/** Null: it cannot be borrowed here. */
export function borrowChannel(
  { file, args }: ProcessLaunch,
  fds: readonly number[],
  { name, secret }: LentChannel,
): Pick<ProcessLaunch, "file" | "args"> | null {
  const perl = findSystemProgram("perl");
  const receive = messageCalls[arch()]?.[1];
  if (perl === null || receive === undefined) return null;
  const harness = readlinkSync("/proc/self");
  return {
    file: perl,
    args: ["-e", borrower, "--", harness, fds.join(","), name, secret, String(receive), file, ...args],
  };
}
