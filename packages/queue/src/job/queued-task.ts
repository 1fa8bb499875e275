import type { TaskResult } from "@unroll/batch";
import { noTokenUsage } from "@unroll/protocol";
import type { TaskJob } from "../open-server.ts";
import { type JobQuestion, toTaskId, toThreadId } from "./job-data.ts";
import { parseJobData } from "./parse-job-data.ts";

/** The state of a task, in the words of the queue. */
export type TaskState = "waiting" | "delayed" | "active" | "completed" | "failed";

/** A task in the queue. */
export interface QueuedTask {
  readonly id: string;
  readonly state: TaskState;
  readonly prompt: string;
  /** The thread of the attempt that runs or ran last. */
  readonly threadId: string;
  /** Null: it has not ended. */
  readonly result: TaskResult | null;
  /** Questions about its calls that it waits for; empty: it does not wait. */
  readonly questions: readonly JobQuestion[];
}

/** Reads a job. Throws `QueueError` `queue_task` for one that this version does not know. */
export function toQueuedTask(job: TaskJob, state: TaskState): QueuedTask {
  const id = toTaskId(job.id ?? "");
  const { task, threadId: first, begun, ended, questions } = parseJobData(job.data, id);
  const hasEnded = state === "completed" || state === "failed";
  const attempt = hasEnded ? Math.max(0, job.attemptsMade - 1) : job.attemptsMade;
  const threadId = begun?.attempt === attempt ? begun.threadId : toThreadId(first, attempt);
  const result = hasEnded ? (ended?.result ?? toLostResult(job, { id, threadId })) : null;
  return { id, state, prompt: task.prompt, threadId, result, questions };
}

/** The result of a job that the queue failed by itself. */
function toLostResult(job: TaskJob, { id, threadId }: Pick<QueuedTask, "id" | "threadId">): TaskResult {
  return {
    id,
    thread_id: threadId,
    status: "failed",
    final_message: null,
    value: null,
    usage: noTokenUsage,
    cost: null,
    uncached_cost: null,
    duration_ms: 0,
    worktree: null,
    branch: null,
    diff: null,
    error: { code: "queue_failed", message: `The queue failed the task: ${job.failedReason || "no reason given"}` },
  };
}
