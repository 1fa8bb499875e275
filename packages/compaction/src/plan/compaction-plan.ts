import type { ResponseItem } from "@unroll/protocol";
import { createCopyTest, toSummaryItem } from "../summary/summary-item.ts";

/** What of a conversation stays as it is, and where the summary of the rest goes. */
export interface CompactionPlan {
  /** In front of the summary: the initial messages, what the harness said since that still counts, and what people said. */
  readonly before: readonly ResponseItem[];
  /** Behind it: the last steps in full, and all that was said since the first of them. */
  readonly after: readonly ResponseItem[];
  /** The model's plan, a line a step; null: it has none, or it is in `after`. */
  readonly plan: string | null;
  readonly kept: RetainedParts;
}

/** How many of each a plan keeps, and of how many. */
export interface RetainedParts {
  readonly initialMessages: number;
  readonly userMessages: Share;
  readonly steps: Share;
}

interface Share {
  readonly kept: number;
  readonly all: number;
}

/** What stands for what was taken out: notes that the model wrote, or what the server made of it. */
export type Summary =
  | { readonly type: "notes"; readonly text: string }
  | { readonly type: "items"; readonly items: readonly ResponseItem[] };

/**
 * The conversation as it goes on. Kept items are the same objects, so that they are sent as the bytes they were; what the server
 * repeats of them is in there once.
 */
export function toCompactedItems({ before, after, plan }: CompactionPlan, summary: Summary): readonly ResponseItem[] {
  if (summary.type === "notes") return [...before, toSummaryItem(summary.text, plan), ...after];
  const isKept = createCopyTest([...before, ...after]);
  const planItem = plan === null ? [] : [toSummaryItem(null, plan)];
  return [...before, ...summary.items.filter((item) => !isKept(item)), ...planItem, ...after];
}
