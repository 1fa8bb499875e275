import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { MARKER_VARIABLE } from "./tree-members.ts";

/** Ends the commands of a harness that had no chance to do so itself: SIGKILL, out of memory, a crash. */
export interface Watchdog {
  /** Starts it unless it runs. To be called before a command is spawned. */
  start(): void;
  /** Tells it of a new process group. */
  watch(group: number): void;
  /** The group is over. */
  forget(group: number): void;
  /** Ends it. Resolves when its process is gone. */
  close(): Promise<void>;
}

/**
 * One shell at the end of a pipe whose only writer is the harness: each line is the list of living groups, and the end
 * of the pipe is the end of the harness. What left its group is found by the marker. The shell has a session of its own
 * and an empty environment, so that neither ^C nor an outer harness that clears up ends it first.
 */
const SCRIPT = `
groups=
while read -r line; do groups=$line; done
for group in $groups; do kill -KILL "-$group"; done
for round in 1 2 3; do
  for file in $(grep -laF "$0" /proc/[0-9]*/environ); do
    file=\${file#/proc/}
    kill -KILL "\${file%/environ}"
  done
done`;

/** `markerPrefix` begins the marker of every command of this harness. */
export function createWatchdog(markerPrefix: string): Watchdog {
  const groups = new Set<number>();
  let shell: ChildProcess | undefined;

  function start(): void {
    if (!isRunning(shell)) shell = startShell(`${MARKER_VARIABLE}=${markerPrefix}`);
  }

  function report(): void {
    shell?.stdin?.write(`${[...groups].join(" ")}\n`);
  }

  return {
    start,
    watch(group) {
      groups.add(group);
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

function startShell(marker: string): ChildProcess {
  const shell = spawn("/bin/sh", ["-c", SCRIPT, marker], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Where there is no shell there is no watchdog; commands run all the same.
  shell.on("error", () => {});
  shell.stdin.on("error", () => {});
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  return shell;
}
