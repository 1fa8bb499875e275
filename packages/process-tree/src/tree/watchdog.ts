import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { markerVariable } from "./process-tree.ts";

/** Ends the processes of a harness that had no chance to do so itself: SIGKILL, out of memory, a crash. */
export interface Watchdog {
  /** Starts it unless it runs. To be called before a process is spawned. */
  start(): void;
  /** Tells it of a new process group. */
  watch(group: number): void;
  /** The group is over. */
  forget(group: number): void;
  /** Ends it. Resolves when its process is gone. What is still watched is ended too. */
  close(): Promise<void>;
}

/**
 * So long the shell may be told late that a group is over, in ms: with the next group, as a rule, to wake it half as often. A
 * group's number is not given out again so soon.
 */
const idleMs = 50;

/**
 * One shell at the end of a pipe whose only writer is the harness: each line is the list of living groups, and the end
 * of the pipe is the end of the harness. What left its group is found by the marker, `$0`; `$1`: the seconds from SIGTERM to
 * SIGKILL. The shell has a session of its own and an empty environment, so that neither ^C nor an outer harness that clears
 * up ends it first.
 */
const script = `
groups=
while read -r line; do groups=$line; done
[ "$groups" = over ] && exit 0
signal_groups() {
  for group in $groups; do kill "-$1" "-$group"; done
}
signal_marked() {
  for file in $(grep -laF "$0" /proc/[0-9]*/environ); do
    file=\${file#/proc/}
    kill "-$1" "\${file%/environ}"
  done
}
if [ "$1" != 0 ]; then
  signal_groups TERM
  signal_marked TERM
  sleep "$1"
fi
signal_groups KILL
for round in 1 2 3; do signal_marked KILL; done`;

/**
 * `markerPrefix` begins the marker of every process that this watchdog is for. `graceMs`: how long they may clean up after
 * SIGTERM; 0: they get SIGKILL at once.
 */
export function createWatchdog(markerPrefix: string, graceMs: number): Watchdog {
  const groups = new Set<number>();
  let shell: ChildProcess | null = null;

  let lateReport: NodeJS.Timeout | null = null;

  function report(): void {
    if (lateReport !== null) clearTimeout(lateReport);
    lateReport = null;
    shell?.stdin?.write(`${[...groups].join(" ")}\n`);
  }

  return {
    start() {
      if (!isRunning(shell)) shell = startShell([`${markerVariable}=${markerPrefix}`, String(graceMs / 1_000)]);
    },
    watch(group) {
      groups.add(group);
      report();
    },
    forget(group) {
      groups.delete(group);
      lateReport ??= setTimeout(report, idleMs).unref();
    },
    async close() {
      if (lateReport !== null) clearTimeout(lateReport);
      lateReport = null;
      if (!isRunning(shell)) return;
      shell.ref();
      const exited = once(shell, "exit");
      shell.stdin?.end(groups.size === 0 ? "over\n" : "");
      await exited;
    },
  };
}

function isRunning(shell: ChildProcess | null): shell is ChildProcess {
  return shell?.pid !== undefined && shell.exitCode === null && shell.signalCode === null;
}

function startShell(parameters: readonly string[]): ChildProcess {
  const shell = spawn("/bin/sh", ["-c", script, ...parameters], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Where there is no shell there is no watchdog; processes run all the same.
  shell.on("error", () => {});
  shell.stdin.on("error", () => {});
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  return shell;
}
