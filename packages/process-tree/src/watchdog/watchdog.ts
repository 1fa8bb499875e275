import type { ChildStart, StreamConnection } from "../spawn/child.ts";
import type { ProcessLaunch } from "../spawn/process-launch.ts";
import { spawnChild } from "../spawn/spawn-child.ts";
import { markerVariable } from "../tree/process-tree.ts";
import type { Guard } from "./guard.ts";
import { openShellGuard } from "./shell-guard.ts";
import { openStarter, type Starter } from "./starter/starter.ts";

/** Ends the processes of a harness that had no chance to do so itself: SIGKILL, out of memory, a crash. */
export interface Watchdog {
  /** Starts it unless it runs. To be called before a process is spawned. */
  start(): void;
  /**
   * As `spawnChild`, and watches what it starts. Where the system has what that takes (Linux on x64 or arm64, perl), another
   * process does it for us: node's own way is a `fork`, which costs more the more memory we have. Should that process end,
   * what it started goes on, and how it ends is not known: exit code 255.
   */
  readonly spawn: (launch: ProcessLaunch, connection: StreamConnection, fds: readonly number[]) => Promise<ChildStart>;
  /** Tells it of a new process group. */
  watch(group: number): void;
  /** The group is over. */
  forget(group: number): void;
  /** Ends it. Resolves when its process is gone. What is still watched is ended too. */
  close(): Promise<void>;
}

/**
 * `markerPrefix` begins the marker of every process that this watchdog is for. `graceMs`: how long they may clean up after
 * SIGTERM; 0: they get SIGKILL at once.
 */
export function createWatchdog(markerPrefix: string, graceMs: number): Watchdog {
  const options = { mark: `${markerVariable}=${markerPrefix}`, graceSeconds: graceMs / 1_000 };
  const groups = new Set<number>();
  let guard: Guard | null = null;
  let starter: Starter | null = null;
  let mayStart = true;

  function start(): void {
    if (guard?.isRunning() === true) return;
    starter = mayStart ? openStarter(options, replace) : null;
    guard = starter ?? openShellGuard(options);
    for (const group of groups) guard.watch(group);
  }

  function replace(): void {
    mayStart = false;
    starter = null;
    start();
  }

  function watch(group: number): void {
    groups.add(group);
    guard?.watch(group);
  }

  return {
    start,
    watch,
    async spawn(launch, connection, fds) {
      start();
      const asked = (await starter?.start(launch, connection, fds)) ?? null;
      const started = asked ?? (await spawnChild(launch, connection, fds));
      if (started.type === "started") watch(started.child.pid);
      return started;
    },
    forget(group) {
      groups.delete(group);
      guard?.forget(group);
    },
    async close() {
      await guard?.close();
    },
  };
}
