import type { ContextMeter, MeasuredContext } from "@unroll/compaction";
import type { StepFacts } from "@unroll/core";
import { groupDigits } from "@unroll/text";
import type { CompactionNeed, CompactorOptions } from "./compaction-need.ts";

interface Watch {
  readonly options: CompactorOptions;
  readonly meter: ContextMeter;
}

/** What was found not worth it is looked at again when the conversation has grown by so much, or has another limit. */
const growth = 1.1;
/** Of the context window, where the limit is not on all of the request. */
const fullShare = 0.9;

/** Why a conversation is to be shortened by itself before the next request; null: it is not. */
export function findNeed(facts: StepFacts, { options, meter }: Watch): CompactionNeed | null {
  const { tokenLimit, scope } = options.config().compaction;
  const { tokens, added } = meter.measure(facts);
  const need = { items: facts.items, tokens, focus: null, meter };
  if (tokenLimit === null) return null;
  if (facts.failure !== null) {
    const cause = "the model's server says that it is too long";
    return facts.failure.code === "context_length_exceeded" ? { ...need, type: "overflow", cause } : null;
  }
  const full = fullShare * options.config().modelFamily.contextWindow;
  const isOver = scope === "total" ? tokens >= tokenLimit : added >= tokenLimit || tokens >= full;
  if (!isOver || isGivenUp(tokens, tokenLimit, options)) return null;
  return { ...need, type: "limit", cause: `it has reached its limit of ${groupDigits(tokenLimit)} tokens` };
}

function isGivenUp(tokens: number, limit: number, { notes }: CompactorOptions): boolean {
  const given = notes.get("notCompacted");
  return given !== null && given.limit === limit && tokens < growth * given.tokens;
}

/** That a person wants it. */
export function toDemand(context: MeasuredContext, meter: ContextMeter, focus: string | null): CompactionNeed {
  const { tokens } = meter.measure(context);
  return { type: "demand", cause: "a person asked for it", items: context.items, tokens, focus, meter };
}
