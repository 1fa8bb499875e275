import type { BudgetSettings } from "@unroll/config";
import type { StepFacts, StepGuard } from "@unroll/core";
import { type Clock, flatMap } from "@unroll/flow";
import type { ModelPrice, ThreadEvent, ThreadNotes, TokenUsage, TurnError, TurnOutcome } from "@unroll/protocol";
import { HarnessError } from "../harness-error.ts";
import { type Budget, createBudget, explainTimeUp } from "./budget.ts";
import { createBudgetGuard } from "./budget-guard.ts";
import { type AnsweredUse, toCost } from "./request-cost.ts";
import { createUsageMeter } from "./usage-meter.ts";

/** What a thread may spend, turn by turn. */
export interface ThreadBudget {
  /** Of the turn that runs, else of the thread. */
  readonly current: Budget;
  readonly guard: StepGuard;
  /** Another model answers from now on, at this price. Throws as `createThreadBudget`, and changes nothing then. */
  changeModel(served: PricedModel): void;
  /** Begins what one turn may spend; to be disposed when it has ended. */
  beginRun(): RunBudget;
}

interface RunBudget extends Disposable {
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
  /** Null while there is time. */
  explainAbort(): TurnError | null;
  /** The turn's events, with what is left of the limits after each answered request and at the end, where there are any. */
  watch(turn: AsyncGenerator<ThreadEvent, TurnOutcome>): AsyncGenerator<ThreadEvent, TurnOutcome>;
}

/** A model with what it costs. */
export interface PricedModel {
  readonly model: string;
  /** Null: not known. */
  readonly price: ModelPrice | null;
}

export interface ThreadBudgetOptions extends PricedModel {
  readonly settings: BudgetSettings;
  /** What the thread is given a part of; null: nobody else pays. */
  readonly parent: Budget | null;
  readonly clock: Pick<Clock, "elapsed" | "setTimer">;
  /** Keep what was spent on the thread, also over a resume. */
  readonly notes: ThreadNotes;
}

/** Throws `HarnessError` `unknown_price` for a limit of cost that could not be held. */
export function createThreadBudget(options: ThreadBudgetOptions): ThreadBudget {
  const { settings, clock } = options;
  let { price } = options;
  const { thread, keepSpent } = openSpending(options);
  const meter = createUsageMeter();
  let current = thread;

  function spend(used: AnsweredUse, turns: number): void {
    meter.enter(used.usage);
    current.spend({ turns, ...toCost(used, price) });
    keepSpent();
  }

  /** What the turn used beside its own requests: a guard may ask the model, too. */
  function spendRest(turnUsage: TokenUsage): void {
    const rest = meter.findRest(turnUsage);
    if (rest !== null) spend({ usage: rest, cache: null }, 0);
  }

  function tellLimits(): readonly ThreadEvent[] {
    const { limits } = current;
    return limits.length === 0 ? [] : [{ type: "budget.updated", limits }];
  }

  function follow(event: ThreadEvent): readonly ThreadEvent[] {
    if (event.type === "request.completed") {
      spend(event, 1);
      return [event, ...tellLimits()];
    }
    if (event.type !== "turn.completed" && event.type !== "turn.failed") return [event];
    spendRest(event.usage);
    keepSpent();
    return [...tellLimits(), event];
  }

  const admitBy = (facts: StepFacts): Budget => {
    spendRest(facts.usage);
    return current;
  };

  return {
    get current() {
      return current;
    },
    guard: createBudgetGuard(admitBy, () => price),
    changeModel(served) {
      checkPrice(thread, { settings, ...served });
      ({ price } = served);
    },
    beginRun() {
      const run = thread.child(settings.run, "run");
      const time = startRunTime(run, clock);
      current = run;
      meter.reset();
      return {
        signal: time.signal,
        explainAbort: () => (time.signal.aborted ? explainTimeUp(run) : null),
        watch: (turn) => flatMap(turn, follow),
        [Symbol.dispose]() {
          time.stop();
          current = thread;
        },
      };
    },
  };
}

/** What was spent on the thread, kept in its notes; threads that it opened spend from it, too. */
function openSpending(options: ThreadBudgetOptions): { readonly thread: Budget; readonly keepSpent: () => void } {
  const { settings, parent, clock, notes } = options;
  let kept = notes.get("spent") ?? { turns: 0, tokens: 0, cost: 0 };
  const thread = (parent ?? createBudget({ clock, limits: {} })).child(settings.thread, "thread", kept);
  checkPrice(thread, options);
  return {
    thread,
    keepSpent() {
      if (thread.spent === kept) return;
      kept = thread.spent;
      notes.set("spent", kept);
    },
  };
}

function checkPrice(
  thread: Budget,
  { settings, price, model }: PricedModel & Pick<ThreadBudgetOptions, "settings">,
): void {
  if (price !== null) return;
  const isLimited = settings.run.maxCost !== null || thread.limits.some(({ limit }) => limit === "max_cost");
  if (!isLimited) return;
  const message = `max_cost cannot be held: the price of the model ${model} is not known. Set max_tokens instead, or name a model with a known price.`;
  throw new HarnessError("unknown_price", message);
}

/** `signal` aborts when the time of a budget is up. */
function startRunTime(
  { remainingMs }: Budget,
  clock: Pick<Clock, "setTimer">,
): { readonly signal: AbortSignal; readonly stop: () => void } {
  const timeUp = new AbortController();
  const stop = remainingMs === null ? () => {} : clock.setTimer(remainingMs, () => timeUp.abort());
  return { signal: timeUp.signal, stop };
}
