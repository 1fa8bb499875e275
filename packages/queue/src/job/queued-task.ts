import type { TaskResult } from "@unroll/batch";
import type { TaskJob } from "../open-server.ts";
import { type JobQuestion, toTaskId, toThreadId } from "./job-data.ts";
import { parseJobData } from "./parse-job-data.ts";
import { toFailedResult } from "./to-failed-result.ts";

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
  const result = hasEnded ? (ended?.result ?? toFailedResult({ id, threadId }, toLoss(job))) : null;
  return { id, state, prompt: task.prompt, threadId, result, questions };
}

/** The error of a job that the queue failed by itself. */
function toLoss({ failedReason }: TaskJob): { readonly code: string; readonly message: string } {
  return { code: "queue_failed", message: `The queue failed the task: ${failedReason || "no reason given"}` };
}
