import type { ChildStart, SpawnContext, StreamConnection } from "../spawn/child.ts";
import type { ControlGroup } from "../group/control-group.ts";
import { joinGroup } from "../group/join-group.ts";
import type { LentChannel } from "../spawn/borrow-channel.ts";
import type { ProcessLaunch } from "../spawn/process-launch.ts";
import { spawnChild } from "../spawn/spawn-child.ts";
import { markerVariable } from "../tree/process-tree.ts";
import type { Guard } from "./guard.ts";
import { openShellGuard } from "./shell-guard.ts";
import { openStarter, type Starter, type StarterEnd, type StarterPatience } from "./starter/starter.ts";

/** Ends the processes of a harness that could not do so itself: SIGKILL, out of memory, a crash. */
export interface Watchdog {
  /** Starts it unless it runs. Call it before a process is spawned. */
  start(): void;
  /**
   * `spawnChild`, and watches what it starts. On Linux (x64 or arm64) with Perl, another process
   * does the starting: Node's own way is a `fork`, which costs more the more memory we use. If that
   * process ends, what it started continues, but how it ends is unknown: exit code 255. If it does
   * not respond for 22 s, or for 2 s after an abort, it is killed.
   */
  readonly spawn: (launch: ProcessLaunch, connection: StreamConnection, context: SpawnContext) => Promise<ChildStart>;
  /**
   * Changes a launch for another caller to start, so that its processes are in the group of this
   * watchdog.
   */
  readonly place: (launch: ProcessLaunch) => ProcessLaunch;
  /** Lends the channel on which a launch for another caller hands over a socket; null: there is none. */
  readonly lendChannel: (launch: ProcessLaunch) => Promise<LentChannel | null>;
  /** Names what to end: a process, or a group as a negative number, as for kill(2). */
  watch(target: number): void;
  /** Removes it from the list. */
  forget(target: number): void;
  /** Ends the watchdog. Resolves when its process is gone. Ends everything that is still watched, too. */
  close(): Promise<void>;
}

/** Options of a watchdog. */
export interface WatchdogOptions {
  /** Called with a sentence for the user, at most once: processes are started in Node's way from now on. */
  readonly warn?: (message: string) => void;
  /**
   * How long to wait for the process that starts others. Absent: 2 s, and 20 s more before it
   * counts as dead.
   */
  readonly patience?: StarterPatience;
  /**
   * The control group for started processes; null: none. Called when it is needed. Its creator
   * removes it, after `close`.
   */
  readonly group?: () => ControlGroup | null;
  /**
   * Returns a new text that nobody can guess, such as a UUID: processes may hand over listening sockets
   * (`takeListener` of a launch). Absent: they may not.
   */
  readonly newSecret?: () => string;
}

const defaultPatience: StarterPatience = { readyMs: 2_000, answerMs: 2_000, lastMs: 20_000, abortMs: 2_000 };

/**
 * Creates a watchdog. `markerPrefix` is the beginning of the marker of every process that it is
 * for. `graceMs`: how long they may clean up after SIGTERM; 0: they get SIGKILL at once.
 */
export function createWatchdog(markerPrefix: string, graceMs: number, more: WatchdogOptions = {}): Watchdog {
  const { patience = defaultPatience, newSecret = null } = more;
  const findGroup = more.group ?? (() => null);
  const options = { mark: `${markerVariable}=${markerPrefix}`, graceSeconds: graceMs / 1_000, newSecret };
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
    lendChannel: async (launch) => (await starter?.lendChannel(launch)) ?? null,
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
  "How the commands that were running end is unknown (exit code 255).";
