import type { CompactionPlan } from "./compaction-plan.ts";
import { type CompactionInput, countInitial, type KeptBudget, selectKept } from "./select-kept.ts";

/** How large the conversation is, and how large it may be; all in tokens. */
export interface CompactionSizes {
  /** The size of the next request as it is now, in tokens; an estimate corrected by servers' counts. */
  readonly tokens: number;
  /** The most that requests of the compacted thread should have. Infinity: anything smaller. */
  readonly target: number;
  /** The budgets of the kept parts are shares of this: the limit of automatic compaction. */
  readonly limit: number;
  /** Instructions and tools, which stay in any case. */
  readonly headTokens: number;
  /**
   * Where the server does not take the conversation as it is: a plan will do that leaves at most so many, though the target is out of
   * reach or little is gained. Absent: the conversation may as well stay as it is.
   */
  readonly most?: number;
}

/** The plan of a compaction, or that it is not worth it. */
export type PlannedCompaction =
  /** `tokens`: about what the next request has then, with a summary of usual length. */
  | { readonly type: "planned"; readonly plan: CompactionPlan; readonly tokens: number }
  /** Too little would be gained, or the target is out of reach; `tokens`: the least that would remain. */
  | { readonly type: "too_little"; readonly tokens: number };

/** Shares of the limit, and upper bounds: for your messages, the last steps, and the summary. */
const userShare = { share: 0.15, most: 20_000 };
const stepShare = { share: 0.25, most: 40_000 };
const summaryShare = { share: 0.1, most: 4_000 };
/** Share of the compacted part: a summary of little is short, but has at least this many tokens. */
const summaryOfBody = 0.2;
const shortestSummary = 400;
/** In tokens, with the words around the notes: where the conversation cannot stay as it is, the notes are cut, but the summary not below this. */
const leastSummary = 220;
const mostSteps = 5;
/**
 * Share of everything after the initial messages: breaking the cache for less than a quarter does
 * not pay.
 */
const mostOfBody = 0.75;
/** The parts are tried whole, then smaller, until the rest is small enough. */
const trials = [
  { size: 1, steps: mostSteps },
  { size: 0.5, steps: 3 },
  { size: 0.25, steps: 1 },
  { size: 0, steps: 0 },
];

/** Decides what stays of a conversation, before anything is asked of a model: what would not pay is not begun. */
export function planCompaction(conversation: CompactionInput, sizes: CompactionSizes): PlannedCompaction {
  let smallest: Extract<PlannedCompaction, { readonly type: "planned" }> | null = null;
  for (const { size, steps } of trials) {
    const budget: KeptBudget = {
      userTokens: size * take(userShare, sizes.limit),
      stepTokens: size * take(stepShare, sizes.limit),
      steps,
    };
    const plan = selectKept(conversation, budget);
    if (plan === null) continue;
    const tokens = estimateAfter(plan, { conversation, sizes });
    if (isWorthwhile(tokens, { conversation, sizes })) return { type: "planned", plan, tokens };
    if (tokens < (smallest?.tokens ?? sizes.tokens)) smallest = { type: "planned", plan, tokens };
  }
  if (smallest !== null && isBelowLimit(smallest.tokens, sizes)) return smallest;
  return { type: "too_little", tokens: smallest?.tokens ?? sizes.tokens };
}

/** Whether a request of so many tokens will do where the conversation cannot stay as it is. */
export function isBelowLimit(tokens: number, { most }: CompactionSizes): boolean {
  return most !== undefined && tokens <= most;
}

interface Measured {
  readonly conversation: CompactionInput;
  readonly sizes: CompactionSizes;
}

/** Whether a break of the cache is worth it. `tokens`: of the next request behind it. */
export function isWorthwhile(tokens: number, { conversation, sizes }: Measured): boolean {
  const fixed = measureFixed({ conversation, sizes });
  return tokens <= sizes.target && tokens - fixed <= mostOfBody * (sizes.tokens - fixed);
}

/** The size of the next request with these items, measured as before the compaction. */
export function estimateRequest(items: CompactionInput["items"], { conversation, sizes }: Measured): number {
  return Math.ceil(toScale({ conversation, sizes }) * (sizes.headTokens + conversation.estimate(items)));
}

function estimateAfter({ before, after }: CompactionPlan, measured: Measured): number {
  const { limit, tokens, most = Infinity } = measured.sizes;
  const body = tokens - measureFixed(measured);
  const summary = Math.min(take(summaryShare, limit), Math.max(shortestSummary, summaryOfBody * body));
  const rest = estimateRequest([...before, ...after], measured);
  return rest + Math.min(summary, Math.max(leastSummary, most - rest));
}

/** The part that no compaction can reduce. */
function measureFixed(measured: Measured): number {
  const { conversation } = measured;
  return estimateRequest(conversation.items.slice(0, countInitial(conversation)), measured);
}

/** How far the estimate of the whole is off. */
function toScale({ conversation, sizes }: Measured): number {
  return sizes.tokens / Math.max(1, sizes.headTokens + conversation.estimate(conversation.items));
}

function take({ share, most }: { readonly share: number; readonly most: number }, limit: number): number {
  return Math.min(most, share * limit);
}
