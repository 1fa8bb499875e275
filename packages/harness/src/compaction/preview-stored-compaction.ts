import type { ResolvedConfig } from "@unroll/config";
import { createThreadState } from "@unroll/core";
import type { JournalEntry } from "@unroll/protocol";
import { createCompactor } from "./compactor.ts";
import type { CompactionPreview } from "./preview-compaction.ts";

/** What shortening a stored thread would leave. The thread is neither opened nor held, and no server is asked. */
export function previewStoredCompaction(
  entries: readonly JournalEntry[],
  config: ResolvedConfig,
): Promise<CompactionPreview> {
  const { transcript, notes, lastUsage, lastSpan } = createThreadState({ entries });
  const opened = entries.findLast((entry) => entry.type === "thread.opened");
  const compactor = createCompactor({
    config: () => config,
    notes,
    headBytes: opened?.head?.length ?? 0,
    prompt: null,
  });
  return compactor.preview({ items: transcript.items, lastUsage, lastSpan });
}
