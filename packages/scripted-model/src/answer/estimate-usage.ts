import type { ResponseUsage } from "@unroll/protocol";
import type { PrefixComparison } from "../check/prefix-law.ts";
import type { JsonObject } from "../json.ts";

const bytesPerToken = 4;

/**
 * Estimates usage at 4 bytes a token. The part of a request that equals the previous one counts as cached, so within an
 * epoch a request's cached tokens are the previous request's input tokens.
 */
export function estimateUsage(
  { promptBytes, sharedBytes }: PrefixComparison,
  output: readonly JsonObject[],
): ResponseUsage {
  const inputTokens = toTokens(promptBytes);
  const cachedTokens = toTokens(sharedBytes);
  const outputTokens = toTokens(sizeOf(output));
  const reasoning = output.filter((item) => item["type"] === "reasoning");
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens, cache_write_tokens: inputTokens - cachedTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: toTokens(sizeOf(reasoning)) },
    total_tokens: inputTokens + outputTokens,
  };
}

function sizeOf(items: readonly JsonObject[]): number {
  return items.reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(item)), 0);
}

export function toTokens(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken);
}
