import type { StepFacts } from "@unroll/core";
import type { ModelPrice, TokenUsage } from "@unroll/protocol";
import type { RequestCost } from "./budget.ts";

const bytesPerToken = 4;

/**
 * At least: what was sent last is sent again, but for a transcript that was made shorter since. Bytes alone tell little, an
 * image has many; where nothing was counted yet, the request is let go.
 */
export function estimateRequest({ bytes, lastUsage }: StepFacts, price: ModelPrice | null): RequestCost {
  const last = lastUsage === null ? 0 : lastUsage.input_tokens + lastUsage.output_tokens;
  const again = Math.min(Math.floor(bytes / bytesPerToken), last);
  return { tokens: again, cost: price === null ? null : (again * price.cachedInput) / 1_000_000 };
}

/** Null where the server, or the price list, does not say. */
export function toCost(usage: TokenUsage | null, price: ModelPrice | null): RequestCost {
  if (usage === null) return { tokens: null, cost: null };
  const { input_tokens: input, cached_input_tokens: cached, output_tokens: output } = usage;
  const tokens = input + output;
  if (price === null) return { tokens, cost: null };
  const cost = (input - cached) * price.input + cached * price.cachedInput + output * price.output;
  return { tokens, cost: cost / 1_000_000 };
}
