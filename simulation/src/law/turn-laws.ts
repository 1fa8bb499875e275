import type { ModelPrice, ThreadEvent, TokenUsage } from "@unroll/protocol";
import type { LawBook } from "./law-book.ts";

/** Watches a turn's events and checks them against the laws of a turn. */
export interface TurnLaws {
  take(event: ThreadEvent): void;
  /** A warning said that the thread could not be saved. */
  readonly isUnsaved: boolean;
  /** The turn was read to its end. */
  end(): void;
}

export interface TurnWatch {
  readonly secrets: readonly string[];
  /** The limits of its budget; null: none. Cost in US dollars at `simulatedPrice`. */
  readonly limits: Readonly<Record<"maxSteps" | "maxTokens" | "maxCost", number | null>>;
  /** A file was changed. */
  readonly onPatch: (path: string) => void;
}

/** In US dollars a million tokens. */
export const simulatedPrice: ModelPrice = { input: 2, cachedInput: 0.2, output: 10 };

/** Errors that only a bug leads to. */
const bugs = /internal|guard_failed|bug/;

export function watchTurn(book: LawBook, { secrets, limits, onPatch }: TurnWatch): TurnLaws {
  const budget = watchBudget(book, limits);
  let [terminals, moment] = [0, 0];
  let isUnsaved = false;
  const open = new Set<string>();
  return {
    get isUnsaved() {
      return isUnsaved;
    },
    take(event) {
      const text = JSON.stringify(event);
      for (const secret of secrets) if (text.includes(secret)) book.breach(`an event holds a secret: ${event.type}`);
      if (terminals > 0) book.breach(`an event behind the terminal one: ${event.type}`);
      moment += 1;
      // a command may run longer than its turn
      if (event.type === "item.started" && event.item.type !== "command_execution") open.add(event.item.id);
      if (event.type === "item.completed" || isInBackground(event)) open.delete(event.item.id);
      if (event.type === "warning") isUnsaved ||= event.message.startsWith("The thread cannot be saved");
      if (event.type === "request.started") budget.ask(moment);
      if (event.type === "request.completed") budget.spend(event.usage, moment);
      if (event.type === "item.completed" && event.item.type === "file_change" && event.item.status === "completed")
        for (const { path } of event.item.changes) onPatch(path);
      if (event.type === "turn.completed" || event.type === "turn.failed") terminals += 1;
      if (event.type === "turn.failed" && bugs.test(event.error.code)) book.breach(`a bug: ${event.error.message}`);
    },
    end() {
      if (terminals !== 1) book.breach(`a turn with ${terminals} terminal events`);
      if (open.size > 0) book.breach(`items that were never completed: ${[...open].join(", ")}`);
    },
  };
}

/** A sub-agent may run longer than its turn, if the output of its call says so. */
function isInBackground(event: ThreadEvent): event is ThreadEvent & { readonly type: "item.updated" } {
  return event.type === "item.updated" && event.item.type === "tool_call" && event.item.output !== null;
}

/** The use of a budget; the cost in US dollars. */
type Spent = Readonly<Record<"steps" | "tokens" | "cost", number>>;

/**
 * A budget of requests. `moment`: by any clock. Requests may run side by side, so one that begins at the moment at which another one
 * reaches a limit is allowed.
 */
export interface BudgetLaw {
  readonly spent: Spent;
  /** A request begins: it breaks the law if a limit was reached before. */
  ask(moment: number): void;
  spend(usage: TokenUsage | null, moment: number): void;
}

const nothingSpent: Spent = { steps: 0, tokens: 0, cost: 0 };

/** A limit of steps is kept; of the others, the request that reaches one is the last. `before`: spent in earlier processes. */
export function watchBudget(book: LawBook, limits: TurnWatch["limits"], before: Spent = nothingSpent): BudgetLaw {
  let { steps, tokens, cost } = before;
  let reached: { readonly moment: number; readonly why: string } | null = null;
  const isReached = (spent: number, max: number | null): boolean => max !== null && spent >= max;

  function explain(isUnknown: boolean): string | null {
    if (isReached(steps, limits.maxSteps)) return `more steps than a budget of ${limits.maxSteps}`;
    if (isReached(tokens, limits.maxTokens)) return `a request behind ${tokens} of ${limits.maxTokens} tokens`;
    if (isReached(cost, limits.maxCost)) return `a request behind $${cost} of $${limits.maxCost}`;
    if (!isUnknown || (limits.maxTokens ?? limits.maxCost) === null) return null;
    return "a request within a budget that cannot be held: nobody said what the one before it used";
  }

  const spentBefore = explain(false);
  if (spentBefore !== null) reached = { moment: -1, why: spentBefore };
  return {
    get spent() {
      return { steps, tokens, cost };
    },
    ask(moment) {
      if (reached !== null && moment > reached.moment) book.breach(reached.why);
    },
    spend(usage, moment) {
      steps += 1;
      if (usage !== null) {
        const { input_tokens: input, cached_input_tokens: cached, output_tokens: output } = usage;
        tokens += input + output;
        const { input: inputPrice, cachedInput, output: outputPrice } = simulatedPrice;
        cost += ((input - cached) * inputPrice + cached * cachedInput + output * outputPrice) / 1_000_000;
      }
      const why = explain(usage === null);
      if (why !== null) reached ??= { moment, why };
    },
  };
}
