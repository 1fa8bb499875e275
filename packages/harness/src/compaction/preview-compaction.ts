import { type RetainedParts, planCompaction } from "@unroll/compaction";
import type { ResponseItem } from "@unroll/protocol";
import type { CompactionNeed, CompactorOptions } from "./find-need.ts";
import { toCompactionInput, toSizes } from "./to-compaction-task.ts";

/** An estimate of what a compaction would leave, without asking a model. All token counts are estimates. */
export type CompactionPreview =
  | {
      readonly type: "shorter";
      readonly tokensBefore: number;
      /** With a summary of usual length. */
      readonly tokensAfter: number;
      readonly kept: RetainedParts;
      /** The items that stay unchanged: those before the summary, and those after it. */
      readonly before: readonly ResponseItem[];
      readonly after: readonly ResponseItem[];
    }
  /**
   * Nothing would be compacted, because it would save too little. `tokensAfter`: the least that
   * would remain.
   */
  | { readonly type: "too_little"; readonly tokensBefore: number; readonly tokensAfter: number };

export function previewCompaction(need: CompactionNeed, options: CompactorOptions): CompactionPreview {
  const planned = planCompaction(toCompactionInput(need, options), toSizes(need, options));
  const counts = { tokensBefore: need.tokens, tokensAfter: Math.ceil(planned.tokens) };
  if (planned.type === "too_little") return { type: "too_little", ...counts };
  const { before, after, kept } = planned.plan;
  return { type: "shorter", ...counts, kept, before, after };
}
