import type { Clock } from "@unroll/flow";
import type { Child, ChildExit } from "../spawn/child.ts";
import type { ProcessTree } from "../tree/process-tree.ts";
import { stopLeftovers, stopTree } from "../tree/stop-tree.ts";

/** How long output may still come after a command ended before what it left behind is stopped, in ms. */
export const drainMs = 100;
/** The longest wait that timers can hold, in ms. */
const longestTimerMs = 2 ** 31 - 1;

/** Why a command is over, and how its first process ended; null before it has. */
export interface CommandEnd {
  readonly reason: "exited" | "timed_out" | "aborted";
  readonly exit: ChildExit | null;
}

/** A command from its start to the moment when nothing of its tree is left. */
export interface Lifetime {
  readonly end: () => CommandEnd;
  /** Whether all of its tree is gone. */
  readonly isOver: () => boolean;
  /** Stops what still runs. Resolves when it is over. */
  readonly finish: () => Promise<void>;
}

export interface LifetimeOptions extends Pick<Clock, "elapsed"> {
  readonly tree: ProcessTree;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called whenever `end` or `isOver` may answer differently. */
  readonly wake: () => void;
}

export function createLifetime(child: Child, options: LifetimeOptions): Lifetime {
  const startedAt = options.elapsed();
  let end: CommandEnd = { reason: "exited", exit: null };
  let stopping: Promise<void> | null = null;
  let isOver = false;
  let drainTimer: NodeJS.Timeout | undefined;

  const timeout = setTimeout(interrupt, Math.min(options.timeoutMs, longestTimerMs), "timed_out");
  const abort = (): void => interrupt("aborted");
  options.signal.addEventListener("abort", abort);

  child.onExit((exit) => {
    end = { ...end, exit };
    drainTimer = setTimeout(() => void stop(), drainMs);
    options.wake();
  });

  function interrupt(reason: "timed_out" | "aborted"): void {
    if (end.exit !== null || stopping !== null) return;
    end = { ...end, reason };
    void stop();
  }

  function stop(): Promise<void> {
    stopping ??= stopWhatRuns();
    return stopping;
  }

  async function stopWhatRuns(): Promise<void> {
    if (end.exit === null) await stopTree(options.tree);
    else await stopLeftovers(options.tree, options.elapsed() - startedAt);
    isOver = true;
    options.wake();
  }

  if (options.signal.aborted) abort();

  return {
    end: () => end,
    isOver: () => isOver,
    async finish() {
      await stop();
      clearTimeout(timeout);
      clearTimeout(drainTimer);
      options.signal.removeEventListener("abort", abort);
    },
  };
}
