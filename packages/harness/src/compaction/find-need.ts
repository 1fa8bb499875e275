import type { ContextMeter, MeasuredContext } from "@unroll/compaction";
import type { StepFacts } from "@unroll/core";
import { groupDigits } from "@unroll/text";
import type { ResolvedConfig } from "@unroll/config";
import type { ResponseItem, ThreadNotes } from "@unroll/protocol";

interface Watch {
  readonly options: CompactorOptions;
  readonly meter: ContextMeter;
}

/**
 * A compaction that was not worth it is reconsidered when the thread has grown by this factor, or
 * has another limit.
 */
const growth = 1.1;
/** Share of the context window, if the limit does not cover the whole request. */
const fullShare = 0.9;
/** Share of the context window: a request of this size with an empty response was too long. */
const nearShare = 0.75;

/** Why a thread must be compacted before the next request; null: it need not be. */
export function findNeed(facts: StepFacts, { options, meter }: Watch): CompactionNeed | null {
  const { tokenLimit, scope } = options.config().compaction;
  if (tokenLimit === null) return null;
  const { contextWindow } = options.config().modelFamily;
  // counts of a server that did not read all of it say less than there is
  const { tokens, added } = meter.measure(options.readsAll?.() === false ? { ...facts, lastUsage: null } : facts);
  const need = { items: facts.items, tokens, focus: null, meter };
  if (facts.failure !== null) {
    const counted = readCounted(facts, tokens);
    if (counted !== null) meter.estimator.learn({ items: facts.items, bytes: options.headBytes, tokens: counted });
    const cause = explainOverflow(facts.failure, counted ?? tokens, contextWindow);
    return cause === null ? null : { ...need, tokens: counted ?? tokens, type: "overflow", cause };
  }
  const isOver = scope === "total" ? tokens >= tokenLimit : added >= tokenLimit || tokens >= fullShare * contextWindow;
  if (!isOver || isGivenUp(tokens, tokenLimit, options)) return null;
  return { ...need, type: "limit", cause: `it has reached its limit of ${groupDigits(tokenLimit)} tokens` };
}

function isGivenUp(tokens: number, limit: number, { notes }: CompactorOptions): boolean {
  const given = notes.get("notCompacted");
  return given !== null && given.limit === limit && tokens < growth * given.tokens;
}

/** One clause; null: it is something else. Some servers answer a request that is too long by nothing, or by an end without an answer. */
function explainOverflow({ code }: NonNullable<StepFacts["failure"]>, tokens: number, window: number): string | null {
  if (code === "context_length_exceeded") return "the model's server says that it is too long";
  const isNothing = code === "empty_answer" || code === "stream_cut";
  if (!isNothing || tokens < nearShare * window) return null;
  return `its ${groupDigits(tokens)} tokens nearly fill the context window of ${groupDigits(window)}, and the server answered nothing`;
}

/** A count that is further off the estimate than this is of something else. */
const mostOff = 3;

/** The server's own count of the request that it refused. Null: it gave none. */
function readCounted({ failure }: StepFacts, estimated: number): number | null {
  const counted = failure?.refusal?.type === "overflow" ? failure.refusal.requestTokens : null;
  return counted === null || counted > mostOff * estimated || counted < estimated / mostOff ? null : counted;
}

/** That a person wants it. */
export function toDemand(context: MeasuredContext, meter: ContextMeter, focus: string | null): CompactionNeed {
  const { tokens } = meter.measure(context);
  return { type: "demand", cause: "you requested it", items: context.items, tokens, focus, meter };
}

export interface CompactorOptions {
  /** As it is now. */
  readonly config: () => Pick<ResolvedConfig, "compaction" | "modelFamily" | "provider">;
  /** The plan is in them, and whether compacting was found not worth it. */
  readonly notes: ThreadNotes;
  /** Bytes in front of the items in each request. */
  readonly headBytes: number;
  /** In place of our own instructions for the summary; null: ours. */
  readonly prompt: string | null;
  /** Takes the context window that a server named when it refused a request for a summary. Absent: nobody wants to know. */
  readonly learnWindow?: (contextWindow: number) => void;
  /** Whether the server read all that was sent, as far as that is known; where it did not, its counts are not gone by. Absent: it did. */
  readonly readsAll?: () => boolean;
}

/** A reason to compact now. */
export interface CompactionNeed {
  /** `overflow`: its server does not take it as it is. */
  readonly type: "limit" | "overflow" | "demand";
  /** One clause for people. */
  readonly cause: string;
  readonly items: readonly ResponseItem[];
  /** The size of the next request. */
  readonly tokens: number;
  readonly focus: string | null;
  readonly meter: ContextMeter;
}
