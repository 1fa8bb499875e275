import { createUsageSum } from "@unroll/accounting";
import type { JournalEntry, TokenUsage } from "@unroll/protocol";

/** Token counts in the form of the Codex CLI, for programs that add up usage. */
export interface UsageCounts {
  /**
   * The `token_count` of an entry: one for each request, or one for a turn that reports no requests. Null: it has none.
   */
  read(entry: JournalEntry): object | null;
}

/** `before`: the entries that are in the file already, those of other programs' requests included: totals never go backwards. */
export function createUsageCounts(before: readonly JournalEntry[]): UsageCounts {
  const sum = createUsageSum(before);
  return {
    read(entry) {
      const isTold = sum.isTurnTold;
      sum.read(entry);
      const last = findUsage(entry, isTold);
      return last && { type: "token_count", info: toTokenInfo(last, sum.total) };
    },
  };
}

function findUsage(entry: JournalEntry, isTold: boolean): TokenUsage | null {
  if (entry.type === "usage.counted") return entry.usage;
  if (entry.type === "request") return entry.request.isInherited ? null : entry.request.usage;
  return entry.type === "turn.ended" && !isTold ? entry.outcome.usage : null;
}

function toTokenInfo(last: TokenUsage, total: TokenUsage): object {
  return { last_token_usage: toWireUsage(last), total_token_usage: toWireUsage(total) };
}

function toWireUsage(usage: TokenUsage): object {
  return { ...usage, total_tokens: usage.input_tokens + usage.output_tokens };
}
