import type { ResolvedConfig } from "@unroll/config";
import type { JournalEntry } from "@unroll/protocol";
import type { CompactionPreview } from "./preview-compaction.ts";
import { checkCall } from "../check-options.ts";

/**
 * An estimate of what compacting a saved thread would leave. The thread is neither opened nor
 * locked, and no server is asked.
 */
export async function previewStoredCompaction(
  entries: readonly JournalEntry[],
  config: ResolvedConfig,
): Promise<CompactionPreview> {
  checkCall("previewStoredCompaction", { entries, config }, { entries: "a list", "config.modelFamily": "an object" });
  const [{ createThreadState }, { createCompactor }] = await Promise.all([
    import("@unroll/core"),
    import("./compactor.ts"),
  ]);
  const { transcript, notes, lastUsage, lastSpan } = createThreadState({ entries });
  const opened = entries.findLast((entry) => entry.type === "thread.opened");
  const compactor = createCompactor({
    config: () => config,
    notes,
    headBytes: opened?.head?.bytes.length ?? 0,
    prompt: null,
  });
  return compactor.preview({ items: transcript.items, lastUsage, lastSpan });
}
