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
}

/** That a conversation is to be shortened now, and why. */
export interface CompactionNeed {
  readonly type: "limit" | "overflow" | "demand";
  /** One clause for people. */
  readonly cause: string;
  readonly items: readonly ResponseItem[];
  /** Of the next request as it would be. */
  readonly tokens: number;
  readonly focus: string | null;
  readonly meter: ContextMeter;
}
