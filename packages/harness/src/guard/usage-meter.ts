import { noTokenUsage, type TokenUsage } from "@unroll/protocol";

/** What of a turn's usage was entered already. */
export interface UsageMeter {
  /** Begins a turn. */
  reset(): void;
  /** Null: a server did not say. */
  enter(usage: TokenUsage | null): void;
  /** What the turn used that was not entered; null: nothing. */
  findRest(turnUsage: TokenUsage): TokenUsage | null;
}

export function createUsageMeter(): UsageMeter {
  let entered = noTokenUsage;
  return {
    reset: () => void (entered = noTokenUsage),
    enter: (usage) => void (entered = usage === null ? entered : combineUsage(entered, usage, 1)),
    findRest(turnUsage) {
      const rest = combineUsage(turnUsage, entered, -1);
      return rest.input_tokens + rest.output_tokens > 0 ? rest : null;
    },
  };
}

function combineUsage(a: TokenUsage, b: TokenUsage, sign: 1 | -1): TokenUsage {
  return {
    input_tokens: a.input_tokens + sign * b.input_tokens,
    cached_input_tokens: a.cached_input_tokens + sign * b.cached_input_tokens,
    cache_write_input_tokens: a.cache_write_input_tokens + sign * b.cache_write_input_tokens,
    output_tokens: a.output_tokens + sign * b.output_tokens,
    reasoning_output_tokens: a.reasoning_output_tokens + sign * b.reasoning_output_tokens,
  };
}
