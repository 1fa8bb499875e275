import type { ModelPrice, TokenUsage } from "@unroll/protocol";

/** In USD, by the public list. */
export interface CacheCost {
  readonly withCache: number;
  /** Had nothing been cached. */
  readonly withoutCache: number;
}

/** `usage`: its cached tokens must be those that the server told. Reasoning is part of the output. */
export function estimateCost(usage: TokenUsage, price: ModelPrice): CacheCost {
  const { input_tokens: input, cached_input_tokens: cached, output_tokens: output } = usage;
  const outputCost = output * price.output;
  return {
    withCache: ((input - cached) * price.input + cached * price.cachedInput + outputCost) / 1e6,
    withoutCache: (input * price.input + outputCost) / 1e6,
  };
}
