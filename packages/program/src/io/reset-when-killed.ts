import type { ChildProcess } from "node:child_process";
import { Socket } from "node:net";
import { findShell, spawnProgram } from "@unroll/process-tree";

/**
 * A shell that outlives us by a moment. Each line of its input is the text to write, as `printf %b` reads it; when the input ends, we are
 * gone, and it writes the last one. Only where the terminal is still ours, or the shell's that started us: another program that came to
 * the foreground keeps its own modes. Fields of proc_pid_stat(5): 4 is the parent, 5 the group, 6 the session, 8 the foreground's group.
 */
const script = `
trap '' HUP INT QUIT TERM TSTP TTIN TTOU
read_stat() {
  read -r stat <"/proc/$1/stat" || exit 0
  set -- \${stat##*) }
  parent=$2 group=$3 session=$4 foreground=$6
}
read_stat "$1"
read_stat "$parent"
shell=$group
text=
while read -r line; do text=$line; done
[ "$text" ] || exit 0
read_stat $$
case $foreground in "$group" | "$session" | "$shell") printf '%b' "$text" ;; esac`;

/** This process, and its system. */
type Self = Pick<NodeJS.Process, "pid" | "platform">;

/**
 * Gives a function that takes the text to write to the terminal if this process is killed; the last one counts, and an empty one means
 * none. On Linux: elsewhere nothing says whose the terminal is.
 */
export function createResetWhenKilled(self: Self): (text: string) => void {
  let guard: ChildProcess | null = null;
  return (text) => {
    if (guard === null && text === "") return;
    guard ??= openGuard(self);
    guard?.stdin?.write(
      `${[...Buffer.from(text)].map((byte) => `\\0${byte.toString(8).padStart(3, "0")}`).join("")}\n`,
    );
  };
}

/** In our group: so it has the terminal. */
function openGuard({ pid, platform }: Self): ChildProcess | null {
  const file = platform === "linux" ? findShell() : null;
  if (file === null) return null;
  const guard = spawnProgram(file, ["-c", script, "unroll", String(pid)], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["pipe", "inherit", "ignore"],
  });
  guard.on("error", () => {}); // then nothing is reset
  guard.stdin?.on("error", () => {});
  guard.unref();
  if (guard.stdin instanceof Socket) guard.stdin.unref();
  return guard;
}
