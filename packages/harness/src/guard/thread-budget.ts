import type { BudgetSettings } from "@unroll/config";
import type { StepFacts, StepGuard } from "@unroll/core";
import { type Clock, flatMap } from "@unroll/flow";
import {
  type ModelPrice,
  noTokenUsage,
  type ThreadEvent,
  type ThreadNotes,
  type TokenUsage,
  type TurnError,
  type TurnOutcome,
} from "@unroll/protocol";
import { HarnessError } from "../harness-error.ts";
import { type Budget, createBudget, explainTimeUp, type RequestCost } from "./budget.ts";

/** What a thread may spend, turn by turn. */
export interface ThreadBudget {
  /** Of the turn that runs, else of the thread. */
  readonly current: Budget;
  readonly guard: StepGuard;
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

export interface ThreadBudgetOptions {
  readonly settings: BudgetSettings;
  /** What the thread is given a part of; null: nobody else pays. */
  readonly parent: Budget | null;
  readonly clock: Pick<Clock, "elapsed" | "setTimer">;
  /** Keep what was spent on the thread, also over a resume. */
  readonly notes: ThreadNotes;
  readonly model: string;
  /** Null: not known. */
  readonly price: ModelPrice | null;
}

/** Bytes of JSON in a token, at the least that matters: an estimate must not stop what would fit. */
const bytesPerToken = 4;

/** Throws `HarnessError` `unknown_price` for a limit of cost that could not be held. */
export function createThreadBudget(options: ThreadBudgetOptions): ThreadBudget {
  const { settings, parent, clock, notes, price } = options;
  const spent = notes.get("spent") ?? { turns: 0, tokens: 0, cost: 0 };
  const payer = parent ?? createBudget({ clock, limits: {} });
  const thread = payer.child(settings.thread, "thread", spent);
  checkPrice(thread, options);
  let current = thread;
  let counted = noTokenUsage;

  function spend(usage: TokenUsage | null, turns: number): void {
    if (usage !== null) counted = addUsage(counted, usage);
    current.spend({ turns, ...toCost(usage, price) });
    notes.set("spent", thread.spent);
  }

  /** What the turn used beside its own requests: a guard may ask the model, too. */
  function spendRest(turnUsage: TokenUsage): void {
    const rest = subtractUsage(turnUsage, counted);
    if (rest.input_tokens + rest.output_tokens > 0) spend(rest, 0);
  }

  function tellLimits(): readonly ThreadEvent[] {
    const { limits } = current;
    return limits.length === 0 ? [] : [{ type: "budget.updated", limits }];
  }

  function follow(event: ThreadEvent): readonly ThreadEvent[] {
    if (event.type === "request.completed") {
      spend(event.usage, 1);
      return [event, ...tellLimits()];
    }
    if (event.type !== "turn.completed" && event.type !== "turn.failed") return [event];
    spendRest(event.usage);
    return [...tellLimits(), event];
  }

  return {
    get current() {
      return current;
    },
    guard: createBudgetGuard((facts) => {
      spendRest(facts.usage);
      return current;
    }, price),
    beginRun() {
      const run = thread.child(settings.run, "run");
      current = run;
      counted = noTokenUsage;
      const timeUp = new AbortController();
      const { remainingMs } = run;
      const stopTimer = remainingMs === null ? () => {} : clock.setTimer(remainingMs, () => timeUp.abort());
      return {
        signal: timeUp.signal,
        explainAbort: () => (timeUp.signal.aborted ? explainTimeUp(run) : null),
        watch: (turn) => flatMap(turn, follow),
        [Symbol.dispose]() {
          stopTimer();
          current = thread;
        },
      };
    },
  };
}

function checkPrice(thread: Budget, { settings, price, model }: ThreadBudgetOptions): void {
  if (price !== null) return;
  const isLimited = settings.run.maxCost !== null || thread.limits.some(({ limit }) => limit === "max_cost");
  if (!isLimited) return;
  const message = `max_cost cannot be held: the price of the model ${model} is not known. Set max_tokens instead, or name a model with a known price.`;
  throw new HarnessError("unknown_price", message);
}

/** Stops a turn before the request that its budget does not allow. */
function createBudgetGuard(budgetOf: (facts: StepFacts) => Budget, price: ModelPrice | null): StepGuard {
  return {
    // oxlint-disable-next-line require-yield -- what it knows is told with each answer
    async *before(facts) {
      // a request that failed costs nothing that is known, and its own error says more
      const error = facts.failure === null ? budgetOf(facts).admit(estimateRequest(facts, price)) : null;
      return error === null ? { type: "go" } : { type: "stop", error };
    },
  };
}

/** At least: what was sent last is sent again, but for a transcript that was made shorter since. */
function estimateRequest({ bytes, lastUsage }: StepFacts, price: ModelPrice | null): RequestCost {
  const ofBytes = Math.floor(bytes / bytesPerToken);
  const again = lastUsage === null ? ofBytes : Math.min(ofBytes, lastUsage.input_tokens + lastUsage.output_tokens);
  return { tokens: again, cost: price === null ? null : (again * price.cachedInput) / 1_000_000 };
}

function toCost(usage: TokenUsage | null, price: ModelPrice | null): RequestCost {
  if (usage === null) return { tokens: null, cost: null };
  const { input_tokens: input, cached_input_tokens: cached, output_tokens: output } = usage;
  const tokens = input + output;
  if (price === null) return { tokens, cost: null };
  const cost = (input - cached) * price.input + cached * price.cachedInput + output * price.output;
  return { tokens, cost: cost / 1_000_000 };
}

function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return combineUsage(a, b, 1);
}

function subtractUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return combineUsage(a, b, -1);
}

function combineUsage(a: TokenUsage, b: TokenUsage, sign: 1 | -1): TokenUsage {
  return {
    input_tokens: a.input_tokens + sign * b.input_tokens,
    cached_input_tokens: a.cached_input_tokens + sign * b.cached_input_tokens,
    cache_write_input_tokens: a.cache_write_input_tokens + sign * b.cache_write_input_tokens,
    output_tokens: a.output_tokens + sign * b.output_tokens,
    reasoning_output_tokens: a.reasoning_output_tokens + sign * b.reasoning_output_tokens,
  };
}
