import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";

/** Ends the servers of a harness that had no chance to do so itself: SIGKILL, out of memory, a crash. */
export interface Watchdog {
  /** Tells it of a new process group; starts it for the first one. */
  watch(group: number): void;
  /** The group is over. */
  forget(group: number): void;
  /** Ends it. Resolves when its process is gone. */
  close(): Promise<void>;
}

/**
 * One shell at the end of a pipe whose only writer is the harness: each line is the list of living groups, and the end of
 * the pipe is the end of the harness. It has a session of its own and no environment to speak of.
 */
const SCRIPT = `
groups=
while read -r line; do groups=$line; done
[ -n "$groups" ] || exit 0
for group in $groups; do kill -TERM "-$group"; done
sleep 1
for group in $groups; do kill -KILL "-$group"; done`;

export function createWatchdog(): Watchdog {
  const groups = new Set<number>();
  let shell: ChildProcess | undefined;

  function report(): void {
    shell?.stdin?.write(`${[...groups].join(" ")}\n`);
  }

  return {
    watch(group) {
      groups.add(group);
      if (!isRunning(shell)) shell = startShell();
      report();
    },
    forget(group) {
      groups.delete(group);
      report();
    },
    async close() {
      if (!isRunning(shell)) return;
      shell.ref();
      const exited = once(shell, "exit");
      shell.stdin?.end();
      await exited;
    },
  };
}

function isRunning(shell: ChildProcess | undefined): shell is ChildProcess {
  return shell?.pid !== undefined && shell.exitCode === null && shell.signalCode === null;
}

function startShell(): ChildProcess {
  const shell = spawn("/bin/sh", ["-c", SCRIPT], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Where there is no shell there is no watchdog; the servers run all the same.
  shell.on("error", () => {});
  shell.stdin.on("error", () => {});
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  return shell;
}
