import type { Clock } from "@unroll/flow";
import type { BudgetLimits, BudgetStatus, ThreadUsage, TurnError } from "@unroll/protocol";
import { checkCall, checkKeys, checkLimits } from "../check-options.ts";
import { createTurnTime, type TurnCount, type TurnTime, type TurnTimeOptions } from "./turn-time.ts";

/**
 * A budget, and what has been spent from it. Budgets form a tree: spending from one also spends
 * from its parents, and all of them must admit a request. So a thread can pass on a part of its
 * budget. The estimate of a request counts from its start to its answer, so requests that run at the
 * same time cannot be admitted for the same rest. No money is set aside for later.
 */
export interface Budget {
  /** Each limit and how much of it is used: its own limits, then those of its parents. */
  readonly limits: readonly BudgetStatus[];
  /** Everything spent from it, including its children. */
  readonly spent: ThreadUsage;
  /** The turns that run on it, including its children. */
  readonly turns: TurnCount;
  /** Ms until the first time limit is reached, 0 if it is; null: there is none. */
  readonly remainingMs: number | null;
  /**
   * Whether a request may be made that costs at least `estimate`; null: yes, otherwise why not.
   * `budget_exhausted`: a limit is reached. `budget_unknown`: a server did not report its usage, so
   * a limit on tokens or cost cannot be enforced.
   */
  admit(estimate: RequestCost): TurnError | null;
  /**
   * Counts a request that has begun, at its estimate, until the returned function is called: once it
   * is answered, before what it cost is spent, or when it has failed.
   */
  hold(estimate: RequestCost): () => void;
  /**
   * Resolves when a request ends without which `estimate` could be admitted; null: only what was
   * spent is in its way, or nothing.
   */
  waitForRoom(estimate: RequestCost): Promise<void> | null;
  /** Adds to `turns`. While all turns rest, the time of the budget does not pass. */
  countTurns(change: TurnCount): void;
  /** Records a request that was answered. `turns`: 0 if it was not a step of the agent; absent: 1. */
  spend(spent: RequestCost & { readonly turns?: number }): void;
  /**
   * A budget within this one; its limits count from now on. `of`: its owner, one word for users.
   * `spent`: what was spent from it before and is already paid for; absent: nothing.
   */
  child(limits: Partial<BudgetLimits>, of: string, spent?: ThreadUsage): Budget;
}

/** Null: not known. */
export interface RequestCost {
  readonly tokens: number | null;
  /** In US dollars. */
  readonly cost: number | null;
}

/** The start of a budget. */
export interface BudgetOptions {
  readonly clock: Pick<Clock, "elapsed">;
  /** An absent limit does not apply. */
  readonly limits: Partial<BudgetLimits>;
  /** Its owner, one word for users; default `program`. */
  readonly of?: string;
  /** Usage before it was created. */
  readonly spent?: ThreadUsage;
}

const knownOptions: Readonly<Record<keyof BudgetOptions, true>> = { clock: true, limits: true, of: true, spent: true };

const knownLimits: Readonly<Record<keyof BudgetLimits, true>> = {
  maxTurns: true,
  maxTokens: true,
  maxCost: true,
  maxTimeMs: true,
};

const noLimits: BudgetLimits = { maxTurns: null, maxTokens: null, maxCost: null, maxTimeMs: null };

export const nothingSpent: ThreadUsage = { turns: 0, tokens: 0, cost: 0 };

/**
 * Creates a budget without a parent. Throws `HarnessError` `invalid_options` for options of the
 * wrong shape, and for an unknown limit.
 */
export function createBudget(options: BudgetOptions): Budget {
  checkCall("createBudget", options, { "clock.elapsed": "a function", limits: "an object" });
  checkKeys({ call: "createBudget" }, options, knownOptions);
  checkLimits("createBudget, limits", options.limits, knownLimits);
  const { clock, limits, of = "program", spent = nothingSpent } = options;
  return openBudget(limits, { clock, of, spent, parent: null });
}

interface BudgetPlace extends TurnTimeOptions {
  readonly of: string;
  readonly spent: ThreadUsage;
  /** The budget that also pays; null: none. */
  readonly parent: Budget | null;
}

/** A budget at its place in the tree; its limits count from now on. */
export function openBudget(own: Partial<BudgetLimits>, place: BudgetPlace): Budget {
  return new PlacedBudget({ ...noLimits, ...own }, place);
}

/** A class: a task of a batch has three budgets, and a class shares its methods. */
class PlacedBudget implements Budget {
  readonly #limits: BudgetLimits;
  readonly #place: BudgetPlace;
  readonly #time: TurnTime;
  /** Most budgets are, and they are asked before each request. */
  readonly #isFree: boolean;
  #spent: ThreadUsage;
  #held = nothingSpent;
  #isUnknown = false;
  /** Resolves when a request ends; null: nobody waits for that. */
  #change: PromiseWithResolvers<void> | null = null;

  constructor(limits: BudgetLimits, place: BudgetPlace) {
    this.#limits = limits;
    this.#place = place;
    this.#time = createTurnTime(place);
    this.#isFree = Object.values(limits).every((limit) => limit === null);
    this.#spent = place.spent;
  }

  get limits(): readonly BudgetStatus[] {
    const above = this.#place.parent?.limits ?? [];
    return this.#isFree ? above : [...this.#listOwn(this.#spent), ...above];
  }

  get spent(): ThreadUsage {
    return this.#spent;
  }

  get turns(): TurnCount {
    return this.#time.turns;
  }

  get remainingMs(): number | null {
    const { maxTimeMs } = this.#limits;
    const own = maxTimeMs === null ? null : Math.max(0, maxTimeMs - this.#time.passedMs());
    const above = this.#place.parent?.remainingMs ?? null;
    return own === null || above === null ? (own ?? above) : Math.min(own, above);
  }

  admit(estimate: RequestCost): TurnError | null {
    const { of, parent } = this.#place;
    if (!this.#isFree) {
      const countsTokens = this.#limits.maxTokens !== null || this.#limits.maxCost !== null;
      if (this.#isUnknown && countsTokens) return explainUnknown(of);
      const reached = this.#findReached(this.#spent, estimate) ?? this.#findReached(this.#used, estimate);
      if (reached !== null) return explain(reached, estimate);
    }
    return parent?.admit(estimate) ?? null;
  }

  hold(estimate: RequestCost): () => void {
    const use = { turns: 1, tokens: estimate.tokens ?? 0, cost: estimate.cost ?? 0 };
    this.#held = addUse(this.#held, use);
    const release = this.#place.parent?.hold(estimate);
    return () => {
      this.#held = addUse(this.#held, { turns: -use.turns, tokens: -use.tokens, cost: -use.cost });
      this.#change?.resolve();
      this.#change = null;
      release?.();
    };
  }

  waitForRoom(estimate: RequestCost): Promise<void> | null {
    if (this.#isFree || this.#findReached(this.#used, estimate) === null)
      return this.#place.parent?.waitForRoom(estimate) ?? null;
    if (this.#findReached(this.#spent, estimate) !== null) return null;
    return (this.#change ??= Promise.withResolvers()).promise;
  }

  countTurns(change: TurnCount): void {
    this.#place.parent?.countTurns(change);
    this.#time.add(change);
  }

  spend(more: RequestCost & { readonly turns?: number }): void {
    const { turns = 1, tokens, cost } = more;
    this.#isUnknown ||= tokens === null || (this.#limits.maxCost !== null && cost === null);
    this.#spent = addUse(this.#spent, { turns, tokens: tokens ?? 0, cost: cost ?? 0 });
    this.#place.parent?.spend(more);
  }

  child(limits: Partial<BudgetLimits>, of: string, spent = nothingSpent): Budget {
    checkLimits("budget.child, limits", limits, knownLimits);
    return openBudget(limits, { clock: this.#place.clock, of, spent, parent: this });
  }

  /** With the requests under way. */
  get #used(): ThreadUsage {
    return addUse(this.#spent, this.#held);
  }

  #listOwn(used: ThreadUsage): readonly BudgetStatus[] {
    return listLimits(this.#limits, { ...used, passedMs: this.#time.passedMs() }, this.#place.of);
  }

  #findReached(used: ThreadUsage, estimate: RequestCost): BudgetStatus | null {
    return this.#listOwn(used).find((status) => !hasRoom(status, estimate)) ?? null;
  }
}

function addUse(a: ThreadUsage, b: ThreadUsage): ThreadUsage {
  return { turns: a.turns + b.turns, tokens: a.tokens + b.tokens, cost: a.cost + b.cost };
}

function listLimits(
  { maxTurns, maxTokens, maxCost, maxTimeMs }: BudgetLimits,
  { turns, tokens, cost, passedMs }: ThreadUsage & { readonly passedMs: number },
  of: string,
): readonly BudgetStatus[] {
  const found = [
    { limit: "max_turns", max: maxTurns, spent: turns },
    { limit: "max_tokens", max: maxTokens, spent: tokens },
    { limit: "max_cost", max: maxCost, spent: toMicros(cost) },
    { limit: "max_time", max: maxTimeMs === null ? null : maxTimeMs / 1000, spent: Math.round(passedMs) / 1000 },
  ] as const;
  return found.flatMap(({ limit, max, spent }) => (max === null ? [] : [{ limit, of, max, spent }]));
}

/** Removes the rounding errors of sums of fractions. */
function toMicros(dollars: number): number {
  return Math.round(dollars * 1_000_000) / 1_000_000;
}

/** A request that is known to exceed the limit is not made. */
function hasRoom({ limit, max, spent }: BudgetStatus, { tokens, cost }: RequestCost): boolean {
  switch (limit) {
    case "max_turns":
    case "max_time":
      return spent < max;
    case "max_tokens":
      return spent < max && spent + (tokens ?? 0) <= max;
    case "max_cost":
      return spent < max && spent + (cost ?? 0) <= max;
  }
}

/** The tables of the config with the limits of these owners. */
const keyPrefixes: Readonly<Record<string, string>> = { thread: "budget.thread.", "sub-agent": "agents." };

function explain(budget: BudgetStatus, estimate: RequestCost): TurnError {
  const isOfRole = budget.of === "sub-agent" && budget.limit === "max_turns";
  const key = isOfRole ? "the limit of its role" : `${keyPrefixes[budget.of] ?? ""}${budget.limit}`;
  const message = `${describeLimit(budget)}${describeNext(budget, estimate)} Raise ${key}, and resume the thread.`;
  return { code: "budget_exhausted", message, budget };
}

function describeLimit({ limit, of, max, spent }: BudgetStatus): string {
  const all = `The budget of the ${of} is used up (${limit}):`;
  switch (limit) {
    case "max_turns":
      return `${all} ${spent} of ${max} requests to the model were made.`;
    case "max_tokens":
      return `${all} ${spent} of ${max} tokens were used.`;
    case "max_cost":
      return `${all} $${spent} of $${max} were spent.`;
    case "max_time":
      return `${all} ${spent} of ${max} seconds have passed.`;
  }
}

/** For a budget with something left, but not enough. */
function describeNext({ limit, max, spent }: BudgetStatus, { tokens, cost }: RequestCost): string {
  if (spent >= max) return "";
  if (limit === "max_tokens") return ` The next request needs at least ${tokens} more.`;
  return ` The next request costs at least $${toMicros(cost ?? 0)}.`;
}

function explainUnknown(of: string): TurnError {
  const message = `The server did not report the usage of its last response, so the budget of the ${of} cannot be checked. Set max_turns or max_time instead of max_tokens and max_cost.`;
  return { code: "budget_unknown", message };
}

/** The error of a turn whose time ran out in the middle of a step. */
export function explainTimeUp(budget: Budget): TurnError {
  const late = budget.limits.find(({ limit, max, spent }) => limit === "max_time" && spent >= max);
  const [first] = budget.limits.filter(({ limit }) => limit === "max_time");
  const status = late ?? first ?? { limit: "max_time", of: "run", max: 0, spent: 0 };
  return explain({ ...status, spent: Math.max(status.spent, status.max) }, { tokens: null, cost: null });
}
