import type { ResponseItem, TokenUsage } from "@unroll/protocol";
import { createTokenEstimator, type TokenEstimator } from "./token-estimator.ts";

/** How full a thread's context is, from request to request. */
export interface ContextMeter {
  readonly estimator: TokenEstimator;
  /** To be called before each request: it learns from what was counted since. */
  measure(context: MeasuredContext): ContextSize;
  /** Forgets earlier counts, because the thread was compacted. */
  reset(): void;
}

/** A thread as its next request would be; `StepFacts` of core are one. */
export interface MeasuredContext {
  readonly items: readonly ResponseItem[];
  /** The usage of the last response; null: there is none since the thread began, or was compacted. */
  readonly lastUsage: TokenUsage | null;
  /** How many of the items the request of `lastUsage` held, and how many there were with what came of it. */
  readonly lastSpan: { readonly sent: number; readonly held: number };
}

/** How large a conversation is, in tokens. */
interface ContextSize {
  /** The size of the next request: the last response's count, and an estimate of later items. */
  readonly tokens: number;
  /** The part of these since the thread began, or was compacted; 0: nothing was counted yet. */
  readonly added: number;
}

/** `headBytes`: the size of everything in front of the items in each request: instructions, tools. */
export function createContextMeter(headBytes: number): ContextMeter {
  const estimator = createTokenEstimator();
  /** The response that was learned from last: what it counted, and how many items. */
  let last: { readonly usage: TokenUsage; readonly held: number } | null = null;
  let baseline: number | null = null;

  function learn({ items, lastSpan: { sent, held } }: MeasuredContext, usage: TokenUsage): void {
    if (usage === last?.usage) return;
    if (last === null) estimator.learn({ items: items.slice(0, sent), bytes: headBytes, tokens: usage.input_tokens });
    else estimator.learn({ items: items.slice(last.held, sent), tokens: usage.input_tokens - total(last.usage) });
    last = { usage, held };
    baseline ??= usage.input_tokens;
  }

  const reset = (): void => void ([last, baseline] = [null, null]);

  return {
    estimator,
    reset,
    measure(context) {
      const { items, lastUsage, lastSpan } = context;
      if (lastUsage === null) {
        reset();
        return { tokens: estimator.estimateBytes(headBytes) + estimator.estimate(items), added: 0 };
      }
      learn(context, lastUsage);
      const tokens = total(lastUsage) + estimator.estimate(items.slice(lastSpan.held));
      return { tokens, added: tokens - (baseline ?? tokens) };
    },
  };
}

function total({ input_tokens: input, output_tokens: output }: TokenUsage): number {
  return input + output;
}
