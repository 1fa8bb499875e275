import { estimateHighestCost, estimateLowestCost } from "@unroll/accounting";
import type { StepFacts } from "@unroll/core";
import type { ModelPrice, RequestCache, TokenUsage } from "@unroll/protocol";
import { bytesPerToken } from "@unroll/text";
import type { RequestCost } from "./budget.ts";

/**
 * At least: what was sent last is sent again, but for a transcript that was made shorter since. Bytes alone tell little, an
 * image has many; where nothing was counted yet, the request is let go.
 */
export function estimateLeastUse({ bytes, lastUsage }: StepFacts, price: ModelPrice | null): RequestCost {
  const last = lastUsage === null ? 0 : lastUsage.input_tokens + lastUsage.output_tokens;
  const again = Math.min(Math.floor(bytes / bytesPerToken), last);
  return { tokens: again, cost: price === null ? null : estimateLowestCost(again, price) };
}

/** What a request used. */
export interface AnsweredUse {
  /** Null: the server did not say. */
  readonly usage: TokenUsage | null;
  /** Null: nobody knows. */
  readonly cache: RequestCache | null;
}

/** Null where the server, or the price list, does not say. */
export function toCost({ usage, cache }: AnsweredUse, price: ModelPrice | null): RequestCost {
  if (usage === null) return { tokens: null, cost: null };
  const tokens = usage.input_tokens + usage.output_tokens;
  return { tokens, cost: price === null ? null : estimateHighestCost(usage, cache, price) };
}
