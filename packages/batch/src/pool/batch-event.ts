import type { ThreadEvent, TokenUsage } from "@unroll/protocol";
import type { BatchTask, TaskResult } from "../task/batch-task.ts";
import type { BatchPause } from "./provider-gate.ts";

/** One event of a batch. */
export type BatchEvent =
  /** An earlier process ended these tasks, with these results; `changed` tasks run again, because their line changed. */
  | {
      readonly type: "batch.started";
      readonly tasks: number;
      readonly finished: readonly TaskResult[];
      readonly changed: readonly string[];
    }
  | { readonly type: "task.started"; readonly task: BatchTask; readonly isContinued: boolean }
  | { readonly type: "task.event"; readonly task: BatchTask; readonly event: ThreadEvent }
  | { readonly type: "task.ended"; readonly task: BatchTask; readonly result: TaskResult }
  | { readonly type: "batch.paused"; readonly pause: BatchPause }
  | { readonly type: "batch.continued" };

/** An event of one task. */
export type TaskEvent = Extract<BatchEvent, { readonly task: BatchTask }>;

/** How a batch ended. */
export interface BatchSummary {
  readonly completed: number;
  readonly failed: number;
  /** Tasks without a result: the next start runs or continues them. */
  readonly left: number;
  /** In US dollars, of all processes, as far as prices are known. */
  readonly cost: number;
  /** The sum over the tasks that ended. */
  readonly usage: TokenUsage;
  /** In US dollars: what the provider's cache saved these tasks; null: no price is known. */
  readonly saved: number | null;
  /** Why it ended before its last task; null: it did not. */
  readonly stopped: { readonly code: string; readonly message: string } | null;
}
