import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { MARKER_VARIABLE, type ServerTree } from "./server-tree.ts";

/** Ends the servers of a harness that had no chance to do so itself: SIGKILL, out of memory, a crash. */
export interface Watchdog {
  /** Tells it of a new server; starts it for the first one. */
  watch(tree: ServerTree): void;
  /** The server is over. */
  forget(tree: ServerTree): void;
  /** Ends it. Resolves when its process is gone. */
  close(): Promise<void>;
}

/**
 * One shell at the end of a pipe whose only writer is the harness: each line is the list of living
 * servers, `group:marker` each, and the end of
 * the pipe is the end of the harness. It has a session of its own and no environment to speak of.
 */
const SCRIPT = `
servers=
while read -r line; do servers=$line; done
[ -n "$servers" ] || exit 0
signal_all() {
  for server in $servers; do
    kill "-$1" "-\${server%%:*}"
    for file in $(grep -ls "${MARKER_VARIABLE}=\${server#*:}" /proc/[0-9]*/environ); do
      pid=\${file#/proc/}
      kill "-$1" "\${pid%/environ}"
    done
  done
}
signal_all TERM
sleep 1
signal_all KILL`;

export function createWatchdog(): Watchdog {
  const trees = new Set<ServerTree>();
  let shell: ChildProcess | undefined;

  function report(): void {
    const line = [...trees].map(({ group, marker }) => `${group}:${marker}`).join(" ");
    shell?.stdin?.write(`${line}\n`);
  }

  return {
    watch(tree) {
      trees.add(tree);
      if (!isRunning(shell)) shell = startShell();
      report();
    },
    forget(tree) {
      trees.delete(tree);
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
