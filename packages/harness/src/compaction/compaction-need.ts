import type { ContextMeter } from "@unroll/compaction";
import type { ResolvedConfig } from "@unroll/config";
import type { ResponseItem, ThreadNotes } from "@unroll/protocol";

export interface CompactorOptions {
  /** As it is now. */
  readonly config: () => Pick<ResolvedConfig, "compaction" | "modelFamily" | "provider">;
  /** The plan is in them, and whether compacting was found not worth it. */
  readonly notes: ThreadNotes;
  /** What stands in front of the items in each request. */
  readonly headBytes: number;
  /** In place of our own instructions for the summary; null: ours. */
  readonly prompt: string | null;
  /** Takes the context window that a server named when it refused a request for a summary. Absent: nobody wants to know. */
  readonly learnWindow?: (contextWindow: number) => void;
  /** Whether the server read all that was sent, as far as that is known; where it did not, its counts are not gone by. Absent: it did. */
  readonly readsAll?: () => boolean;
}

/** That a conversation is to be compacted now, and why. */
export interface CompactionNeed {
  /** `overflow`: its server does not take it as it is. */
  readonly type: "limit" | "overflow" | "demand";
  /** One clause for people. */
  readonly cause: string;
  readonly items: readonly ResponseItem[];
  /** Of the next request as it would be. */
  readonly tokens: number;
  readonly focus: string | null;
  readonly meter: ContextMeter;
}
