import { type Clock, contain, longestTimerMs } from "@unroll/flow";
import type { Child, ChildExit } from "../spawn/child.ts";
import type { ProcessTree } from "../tree/process-tree.ts";
import { stopLeftovers, stopTree } from "../tree/stop-tree.ts";
import { findMembers } from "../tree/tree-members.ts";
import { startPatience } from "../wait/start-patience.ts";

/** In ms: how long processes that a command left behind may wait for something before they are stopped. */
export const drainMs = 100;
/** In ms of processor time: how long they may compute, which takes longer on a busy machine. */
const longestWorkMs = 200;
/** In ms: how long that may take. */
const longestDrainMs = 10_000;

/** Why a command is over, and how its first process ended; null: not yet. */
export interface CommandEnd {
  readonly reason: "exited" | "timed_out" | "aborted";
  readonly exit: ChildExit | null;
}

/** A command from its start until nothing of its tree is left. */
export interface Lifetime {
  readonly end: () => CommandEnd;
  /** Whether its whole tree is gone. */
  readonly isOver: () => boolean;
  /** Stops what still runs. Resolves when the command is over. */
  readonly finish: () => Promise<void>;
}

export interface LifetimeOptions extends Pick<Clock, "elapsed"> {
  readonly setTimer?: Clock["setTimer"];
  readonly tree: ProcessTree;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called whenever `end` or `isOver` may give a new result. */
  readonly wake: () => void;
}

export function createLifetime(child: Child, options: LifetimeOptions): Lifetime {
  const { setTimer = setSystemTimer } = options;
  const startedAt = options.elapsed();
  let end: CommandEnd = { reason: "exited", exit: null };
  let stopping: Promise<void> | null = null;
  let isOver = false;
  let cancelDrain = (): void => {};

  const cancelTimeout = setTimer(Math.min(options.timeoutMs, longestTimerMs), () => interrupt("timed_out"));
  const abort = (): void => interrupt("aborted");
  options.signal.addEventListener("abort", abort);

  child.onExit((exit) => {
    end = { ...end, exit };
    drain(0, { before: null, most: 0 });
    options.wake();
  });

  function drain(passedMs: number, work: Work): void {
    const settle = (): void => {
      const left = findMembers(options.tree, "all") ?? [];
      const computedMs = left.reduce((sum, each) => sum + each.computedMs, 0);
      // A process that ended no longer counts, so the maximum is kept.
      const most = Math.max(work.most, computedMs);
      const before = work.before ?? computedMs;
      const mayGoOn = most - before < longestWorkMs && passedMs < longestDrainMs;
      if (mayGoOn && left.some(({ isBusy }) => isBusy)) drain(passedMs + drainMs, { before, most });
      else stopSoon();
    };
    cancelDrain = startPatience(drainMs, contain(settle, stopSoon));
  }

  function interrupt(reason: "timed_out" | "aborted"): void {
    if (stopping !== null) return;
    // If the command itself has ended, only what it left behind is interrupted.
    if (end.exit === null) end = { ...end, reason };
    stopSoon();
  }

  /** `finish` rejects with what fails here. */
  function stopSoon(): void {
    stop().catch(() => {});
  }

  function stop(): Promise<void> {
    stopping ??= stopWhatRuns();
    return stopping;
  }

  async function stopWhatRuns(): Promise<void> {
    try {
      if (end.exit === null) await stopTree(options.tree);
      else await stopLeftovers(options.tree, options.elapsed() - startedAt);
    } finally {
      isOver = true;
      options.wake();
    }
  }

  if (options.signal.aborted) abort();

  return {
    end: () => end,
    isOver: () => isOver,
    async finish() {
      await stop();
      cancelTimeout();
      cancelDrain();
      options.signal.removeEventListener("abort", abort);
    },
  };
}

/** The processor time, in ms, of what a command left behind. */
interface Work {
  /** Null: not looked at yet. */
  readonly before: number | null;
  readonly most: number;
}

function setSystemTimer(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
