import type { ChildStart, SpawnContext, StreamConnection } from "../spawn/child.ts";
import type { ControlGroup } from "../group/control-group.ts";
import { joinGroup } from "../group/join-group.ts";
import type { ProcessLaunch } from "../spawn/process-launch.ts";
import { spawnChild } from "../spawn/spawn-child.ts";
import { markerVariable } from "../tree/process-tree.ts";
import type { Guard } from "./guard.ts";
import { openShellGuard } from "./shell-guard.ts";
import { openStarter, type Starter, type StarterEnd, type StarterPatience } from "./starter/starter.ts";

/** Ends the processes of a harness that had no chance to do so itself: SIGKILL, out of memory, a crash. */
export interface Watchdog {
  /** Starts it unless it runs. To be called before a process is spawned. */
  start(): void;
  /**
   * As `spawnChild`, and watches what it starts. Where the system has what that takes (Linux on x64 or arm64, perl), another
   * process does it for us: node's own way is a `fork`, which costs more the more memory we have. Should that process end,
   * what it started goes on, and how it ends is not known: exit code 255. Should it not answer for 22 s, or for 2 s after an
   * abort, it is ended.
   */
  readonly spawn: (launch: ProcessLaunch, connection: StreamConnection, context: SpawnContext) => Promise<ChildStart>;
  /** The launch as it is for somebody else to start: what it starts is in the group of this watchdog, too. */
  readonly place: (launch: ProcessLaunch) => ProcessLaunch;
  /** Tells it what to end: a process, or by a negative number a group, as kill(2) takes them. */
  watch(target: number): void;
  /** That is over. */
  forget(target: number): void;
  /** Ends it. Resolves when its process is gone. What is still watched is ended too. */
  close(): Promise<void>;
}

/** What a watchdog may be told besides. */
export interface WatchdogOptions {
  /** Takes a sentence for a person, at most once: processes are started in Node's way from now on. */
  readonly warn?: (message: string) => void;
  /** With the process that starts others; 2 s, and 20 s before it is taken for dead, unless given. */
  readonly patience?: StarterPatience;
  /** The control group that processes are started in; null: none. Asked for when it is needed. Whoever made it removes it, after `close`. */
  readonly group?: () => ControlGroup | null;
}

const defaultPatience: StarterPatience = { readyMs: 2_000, answerMs: 2_000, lastMs: 20_000, abortMs: 2_000 };

/**
 * `markerPrefix` begins the marker of every process that this watchdog is for. `graceMs`: how long they may clean up after
 * SIGTERM; 0: they get SIGKILL at once.
 */
export function createWatchdog(markerPrefix: string, graceMs: number, more: WatchdogOptions = {}): Watchdog {
  const { patience = defaultPatience } = more;
  const findGroup = more.group ?? (() => null);
  const options = { mark: `${markerVariable}=${markerPrefix}`, graceSeconds: graceMs / 1_000 };
  const targets = new Set<number>();
  let guard: Guard | null = null;
  let starter: Starter | null = null;
  let mayStart = true;

  function start(): void {
    if (guard?.isRunning() === true) return;
    starter = mayStart ? openStarter({ ...options, group: findGroup(), patience, onGone: replace }) : null;
    guard = starter ?? openShellGuard(options);
    for (const target of targets) guard?.watch(target);
  }

  function replace(end: StarterEnd): void {
    mayStart = false;
    starter = null;
    guard = null;
    start();
    if (end === "ended in use") more.warn?.(lostStarter);
  }

  function watch(target: number): void {
    targets.add(target);
    guard?.watch(target);
  }

  function place(launch: ProcessLaunch): ProcessLaunch {
    const group = findGroup();
    return group === null ? launch : joinGroup(launch, group);
  }

  return {
    start,
    watch,
    place,
    async spawn(launch, connection, context) {
      start();
      const asked = (await starter?.start(launch, connection, context)) ?? null;
      const started = asked ?? (await spawnChild(place(launch), connection, context.fds));
      if (started.type === "started") watch(-started.child.pid);
      return started;
    },
    forget(target) {
      targets.delete(target);
      guard?.forget(target);
    },
    async close() {
      await guard?.close();
    },
  };
}

const lostStarter =
  "The process that starts commands has ended, or was stopped: from now on each takes a little longer to start. " +
  "How those end that were running then is not known (exit code 255).";
