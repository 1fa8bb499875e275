import type { BudgetSettings } from "@unroll/config";
import type { StepFacts, StepGuard } from "@unroll/core";
import { type Clock, flatMap, untilAborted, yieldAll } from "@unroll/flow";
import {
  addTokenUsage,
  type ModelPrice,
  noTokenUsage,
  type RequestCache,
  type ThreadEvent,
  type ThreadNotes,
  type TokenUsage,
  type TurnError,
  type TurnOutcome,
} from "@unroll/protocol";
import { estimateHighestCost, estimateLowestCost } from "@unroll/accounting";
import { bytesPerToken } from "@unroll/text";
import { HarnessError } from "../harness-error.ts";
import { type Budget, createBudget, explainTimeUp, type RequestCost } from "./budget.ts";
import { openRunTime, type RunTime } from "./run-time.ts";

/** A thread's budget, turn by turn. */
export interface ThreadBudget {
  /** The running turn's budget, otherwise the thread's. */
  readonly current: Budget;
  /**
   * Stops a turn before the request that its budget does not allow. It may be asked once more behind guards that ask the model
   * themselves: what is compacted has cost something. `headBytes`: the size of the instructions and tools of its requests.
   */
  guard(headBytes: number): StepGuard;
  /** Another model answers from now on, at this price. Throws as `createThreadBudget`, and changes nothing then. */
  changeModel(served: PricedModel): void;
  /** The turn waits for an answer of the person, or for sub-agents, until the returned function is called. Without a turn: nothing. */
  rest(): () => void;
  /** Begins what one turn may spend; to be disposed when it has ended. `tellLeft`: gets the events that come after its reader has left. */
  beginRun(tellLeft: (events: readonly ThreadEvent[]) => void): RunBudget;
}

interface RunBudget extends Disposable {
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
  /** Null while there is time. */
  explainAbort(): TurnError | null;
  /** The turn's events, with what is left of the limits after each answered request and at the end, where there are any. */
  watch(turn: AsyncGenerator<ThreadEvent, TurnOutcome>): AsyncGenerator<ThreadEvent, TurnOutcome>;
  /** The turn's last events, if its reader has left before they came. */
  readonly onLeft: (events: readonly ThreadEvent[]) => void;
}

/** A model with what it costs. */
export interface PricedModel {
  readonly model: string;
  /** Null: not known. */
  readonly price: ModelPrice | null;
}

interface ThreadBudgetOptions extends PricedModel {
  readonly settings: BudgetSettings;
  /** The budget that it is part of; null: none. */
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
  let current = thread;
  /** Usage of the running turn. */
  let entered = noTokenUsage;
  let seen: StepFacts["items"] | null = null;
  /** Null: no turn runs. */
  let running: RunTime | null = null;
  /** Ends what the running request counts by its estimate. */
  let release = (): void => {};

  function free(): void {
    release();
    release = () => {};
  }

  function spend(used: CompletedUse, turns: number): void {
    entered = addTokenUsage(entered, used.usage ?? noTokenUsage);
    current.spend({ turns, ...toCost(used, price) });
    keepSpent();
  }

  /** Spends what the turn used beside its own requests: a guard may ask the model, too. */
  function spendRest(turnUsage: TokenUsage): void {
    const rest = subtractUsage(turnUsage, entered);
    if (rest.input_tokens + rest.output_tokens > 0) spend({ usage: rest, cache: null }, 0);
  }

  function tellLimits(): readonly ThreadEvent[] {
    const { limits } = current;
    return limits.length === 0 ? [] : [{ type: "budget.updated", limits }];
  }

  function follow(event: ThreadEvent): readonly ThreadEvent[] {
    if (event.type === "request.completed") {
      free();
      spend(event, 1);
      return [event, ...tellLimits()];
    }
    if (event.type !== "turn.completed" && event.type !== "turn.failed") return [event];
    spendRest(event.usage);
    keepSpent();
    return [...tellLimits(), event];
  }

  async function admit(facts: StepFacts, headBytes: number, signal: AbortSignal): Promise<TurnError | null> {
    const isOther = facts.items !== seen;
    seen = facts.items;
    free();
    // a request that failed costs nothing that is known, and its own error says more, unless another one takes its place
    if (facts.failure !== null && !isOther) return null;
    spendRest(facts.usage);
    const error = await waitForRoom(current, estimateLeastUse(facts, price), signal);
    if (error === null) release = current.hold(estimateFullUse(facts.bytes + headBytes, price));
    return error;
  }

  return {
    get current() {
      return current;
    },
    guard: (headBytes) => ({
      // oxlint-disable-next-line require-yield -- each response carries its news
      async *before(facts, signal) {
        const error = await admit(facts, headBytes, signal);
        return error === null ? { type: "go" } : { type: "stop", error };
      },
    }),
    changeModel(served) {
      checkPrice(thread, { settings, ...served });
      ({ price } = served);
    },
    rest: () => running?.rest() ?? (() => {}),
    beginRun(tellLeft) {
      const run = openRunTime(settings.run, { thread, clock });
      [current, entered, running] = [run.budget, noTokenUsage, run];
      return {
        signal: run.signal,
        explainAbort: () => (run.signal.aborted ? explainTimeUp(run.budget) : null),
        watch: (turn) => flatMap(turn, (event) => yieldAll(follow(event), tellLeft)),
        onLeft: (events) => tellLeft(events.flatMap(follow)),
        [Symbol.dispose]() {
          run[Symbol.dispose]();
          free();
          [current, running] = [thread, null];
        },
      };
    },
  };
}

/** Waits while only requests that other threads have under way are in the way. Returns why the request may not be made. */
async function waitForRoom(budget: Budget, estimate: RequestCost, signal: AbortSignal): Promise<TurnError | null> {
  for (;;) {
    const error = budget.admit(estimate);
    const room = error === null ? null : budget.waitForRoom(estimate);
    if (room === null) return error;
    await untilAborted(room, signal);
    if (signal.aborted) return error;
  }
}

/** The thread's usage, kept in its notes; child threads spend from it, too. */
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
  const message = `max_cost cannot be checked: the price of the model ${model} is not known. Set max_tokens instead, or name a model with a known price.`;
  throw new HarnessError("unknown_price", message);
}

/**
 * At least: what was sent last is sent again, but for a transcript that was made shorter since. Bytes alone tell little, an
 * image has many; where nothing was counted yet, the request is let go.
 */
function estimateLeastUse({ bytes, lastUsage }: StepFacts, price: ModelPrice | null): RequestCost {
  const last = lastUsage === null ? 0 : lastUsage.input_tokens + lastUsage.output_tokens;
  const again = Math.min(Math.floor(bytes / bytesPerToken), last);
  return { tokens: again, cost: price === null ? null : estimateLowestCost(again, price) };
}

/** As if nothing were cached: others wait for it while the request runs, so too much is better than too little. */
function estimateFullUse(bytes: number, price: ModelPrice | null): RequestCost {
  const usage = { ...noTokenUsage, input_tokens: Math.floor(bytes / bytesPerToken) };
  return toCost({ usage, cache: null }, price);
}

/** The usage of a request. */
interface CompletedUse {
  /** Null: the server did not say. */
  readonly usage: TokenUsage | null;
  /** Null: nobody knows. */
  readonly cache: RequestCache | null;
}

/** Null where the server, or the price list, does not say. */
function toCost({ usage, cache }: CompletedUse, price: ModelPrice | null): RequestCost {
  if (usage === null) return { tokens: null, cost: null };
  const tokens = usage.input_tokens + usage.output_tokens;
  return { tokens, cost: price === null ? null : estimateHighestCost(usage, cache, price) };
}

function subtractUsage(whole: TokenUsage, part: TokenUsage): TokenUsage {
  return {
    input_tokens: whole.input_tokens - part.input_tokens,
    cached_input_tokens: whole.cached_input_tokens - part.cached_input_tokens,
    cache_write_input_tokens: whole.cache_write_input_tokens - part.cache_write_input_tokens,
    output_tokens: whole.output_tokens - part.output_tokens,
    reasoning_output_tokens: whole.reasoning_output_tokens - part.reasoning_output_tokens,
  };
}
