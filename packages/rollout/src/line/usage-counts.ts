import { createUsageSum } from "@unroll/accounting";
import { addTokenUsage, type JournalEntry, noTokenUsage, type TokenUsage } from "@unroll/protocol";

/** Token counts in the form of the Codex CLI, for programs that add up usage. */
export interface UsageCounts {
  /**
   * The `token_count` of an entry: one for each request, or one for a turn that reports no requests. Null: it has none.
   */
  read(entry: JournalEntry): object | null;
}

/**
 * `before`: the entries that are in the file already. `counted`: the total of the last `token_count` in it, so that
 * totals never go backwards in a thread to which the Codex CLI added requests; null: there is none.
 */
export function createUsageCounts(before: readonly JournalEntry[], counted: TokenUsage | null): UsageCounts {
  const sum = createUsageSum(before);
  const others = counted === null ? noTokenUsage : subtractUsage(counted, sum.total);
  return {
    read(entry) {
      const isTold = sum.isTurnTold;
      sum.read(entry);
      const last = findUsage(entry, isTold);
      return last && { type: "token_count", info: toTokenInfo(last, addTokenUsage(others, sum.total)) };
    },
  };
}

/** The part of `whole` beyond `part`; nothing where a cut-off write left it behind. */
function subtractUsage(whole: TokenUsage, part: TokenUsage): TokenUsage {
  return {
    input_tokens: Math.max(0, whole.input_tokens - part.input_tokens),
    cached_input_tokens: Math.max(0, whole.cached_input_tokens - part.cached_input_tokens),
    cache_write_input_tokens: Math.max(0, whole.cache_write_input_tokens - part.cache_write_input_tokens),
    output_tokens: Math.max(0, whole.output_tokens - part.output_tokens),
    reasoning_output_tokens: Math.max(0, whole.reasoning_output_tokens - part.reasoning_output_tokens),
  };
}

function findUsage(entry: JournalEntry, isTold: boolean): TokenUsage | null {
  if (entry.type === "request") return entry.request.isInherited ? null : entry.request.usage;
  return entry.type === "turn.ended" && !isTold ? entry.outcome.usage : null;
}

function toTokenInfo(last: TokenUsage, total: TokenUsage): object {
  return { last_token_usage: toWireUsage(last), total_token_usage: toWireUsage(total) };
}

function toWireUsage(usage: TokenUsage): object {
  return { ...usage, total_tokens: usage.input_tokens + usage.output_tokens };
}
