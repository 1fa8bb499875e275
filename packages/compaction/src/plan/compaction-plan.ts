import type { ResponseItem } from "@unroll/protocol";
import { createCopyTest, toSummaryItem } from "../summary/summary-item.ts";

/** The items of a thread that stay, and the place of the summary. */
export interface CompactionPlan {
  /** In front of the summary: the initial messages, what the harness said since that still counts, and what people said. */
  readonly before: readonly ResponseItem[];
  /** After it: the last steps in full, and all messages since the first of them. */
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

/** The replacement of removed items: the model's notes, or the server's own compaction. */
export type Summary =
  | { readonly type: "notes"; readonly text: string }
  | { readonly type: "items"; readonly items: readonly ResponseItem[] };

/**
 * The items of the compacted thread. Kept items are the same objects, so that they keep their
 * bytes; items that the server repeats are included once.
 */
export function toCompactedItems({ before, after, plan }: CompactionPlan, summary: Summary): readonly ResponseItem[] {
  if (summary.type === "notes") return [...before, toSummaryItem(summary.text, plan), ...after];
  const isKept = createCopyTest([...before, ...after]);
  const planItem = plan === null ? [] : [toSummaryItem(null, plan)];
  return [...before, ...summary.items.filter((item) => !isKept(item)), ...planItem, ...after];
}
