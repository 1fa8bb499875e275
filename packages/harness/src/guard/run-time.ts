import type { Clock } from "@unroll/flow";
import type { BudgetLimits } from "@unroll/protocol";
import { type Budget, nothingSpent, openBudget } from "./budget.ts";

/** The budget of one turn, with its time. Disposed when the turn has ended. */
export interface RunTime extends Disposable {
  readonly budget: Budget;
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
  /** The turn rests until the returned function is called. */
  rest(): () => void;
}

/** Begins a turn on a part of the budget of its thread. */
export function openRunTime(
  limits: Partial<BudgetLimits>,
  { thread, clock }: { readonly thread: Budget; readonly clock: Pick<Clock, "elapsed" | "setTimer"> },
): RunTime {
  const timeUp = new AbortController();
  /** The answers and sub-agents that the turn waits for. */
  const waits = new Set<symbol>();
  let stop = (): void => {};
  const onPause = (isPaused: boolean): void => {
    stop();
    const ms = isPaused ? null : budget.remainingMs;
    stop = ms === null ? () => {} : clock.setTimer(ms, () => timeUp.abort());
  };
  // the turns of sub-agents that run already spend from it, too
  const place = { clock, of: "run", spent: nothingSpent, parent: thread, turns: thread.turns, onPause };
  const budget = openBudget(limits, place);
  budget.countTurns({ all: 1, resting: 0 });
  onPause(false);
  return {
    budget,
    signal: timeUp.signal,
    rest() {
      const wait = Symbol("wait");
      if (waits.add(wait).size === 1) budget.countTurns({ all: 0, resting: 1 });
      return () => {
        if (waits.delete(wait) && waits.size === 0) budget.countTurns({ all: 0, resting: -1 });
      };
    },
    [Symbol.dispose]() {
      budget.countTurns({ all: -1, resting: waits.size > 0 ? -1 : 0 });
      waits.clear();
      stop();
    },
  };
}
