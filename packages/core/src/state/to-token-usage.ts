import type { ResponseUsage, TokenUsage } from "@unroll/protocol";

export function toTokenUsage(usage: ResponseUsage): TokenUsage {
  return {
    input_tokens: usage.input_tokens,
    cached_input_tokens: usage.input_tokens_details?.cached_tokens ?? 0,
    cache_write_input_tokens: usage.input_tokens_details?.cache_write_tokens ?? 0,
    output_tokens: usage.output_tokens,
    reasoning_output_tokens: usage.output_tokens_details?.reasoning_tokens ?? 0,
  };
}
