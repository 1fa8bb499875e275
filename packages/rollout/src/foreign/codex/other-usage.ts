import { createUsageSum } from "@unroll/accounting";
import { addTokenUsage, noTokenUsage, type JournalEntry, type TokenUsage } from "@unroll/protocol";

/** Finds the usage of other programs' requests, which they record only as totals of the thread. */
export interface OtherUsage {
  /** Takes an entry of ours, in the order of the file. */
  read(entry: JournalEntry): void;
  /** Takes the thread's total by a `token_count`, and adds the part of it beyond all entries so far to `found`. */
  count(total: TokenUsage): void;
  /** Behind the last line. */
  end(): void;
  /** The usage of all requests so far; null: none was counted. */
  readonly total: TokenUsage | null;
}

/**
 * Counts in a row become one entry. In a turn of ours a count may stand right before the end that it
 * counts, so it waits for the next entry.
 */
export function createOtherUsage(found: JournalEntry[]): OtherUsage {
  const sum = createUsageSum();
  let waiting: TokenUsage | null = null;
  let isInOwnTurn = false;

  function add(): void {
    const usage = waiting === null ? noTokenUsage : subtractUsage(waiting, sum.total);
    waiting = null;
    if (Object.values(usage).every((tokens) => tokens === 0)) return;
    sum.read({ type: "usage.counted", usage });
    const last = found.at(-1);
    if (last?.type === "usage.counted") found.pop();
    const before = last?.type === "usage.counted" ? [last.usage] : [];
    found.push({ type: "usage.counted", usage: before.reduce(addTokenUsage, usage) });
  }

  return {
    read(entry) {
      if (entry.type !== "turn.ended") add();
      sum.read(entry);
      if (entry.type === "turn.ended") add();
      if (entry.type === "turn.started" || entry.type === "turn.ended") isInOwnTurn = entry.type === "turn.started";
    },
    count(total) {
      waiting = total;
      if (!isInOwnTurn) add();
    },
    end: add,
    get total() {
      return Object.values(sum.total).every((tokens) => tokens === 0) ? null : sum.total;
    },
  };
}

/** The part of `whole` beyond `part`; nothing where a write that was cut off left it behind. */
function subtractUsage(whole: TokenUsage, part: TokenUsage): TokenUsage {
  return {
    input_tokens: Math.max(0, whole.input_tokens - part.input_tokens),
    cached_input_tokens: Math.max(0, whole.cached_input_tokens - part.cached_input_tokens),
    cache_write_input_tokens: Math.max(0, whole.cache_write_input_tokens - part.cache_write_input_tokens),
    output_tokens: Math.max(0, whole.output_tokens - part.output_tokens),
    reasoning_output_tokens: Math.max(0, whole.reasoning_output_tokens - part.reasoning_output_tokens),
  };
}
