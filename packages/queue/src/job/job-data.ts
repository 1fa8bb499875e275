import { createHash } from "node:crypto";
import type { BatchTask, TaskResult, TaskThread } from "@unroll/batch";
import type { ApprovalDecision } from "@unroll/protocol";

/** A task in the queue: everything that a worker on any machine needs. */
export interface JobData {
  readonly task: BatchTask;
  /** The thread of the first attempt, a UUID of version 7. */
  readonly threadId: string;
  /** The thread of the attempt that runs or ran last; null: none began, or its id follows from `threadId`. */
  readonly begun: (TaskThread & { readonly attempt: number }) | null;
  /** How the last attempt ended; null: none has. */
  readonly ended: { readonly attempt: number; readonly result: TaskResult } | null;
  /** The questions that the task waits for; empty: it does not wait. */
  readonly questions: readonly JobQuestion[];
}

/** A question about a call of the task's thread. */
export interface JobQuestion {
  /** Made of the whole question: an answer counts for exactly this one. */
  readonly id: string;
  /** A `Question`, as JSON. Null: it does not fit into the job. */
  readonly question: unknown;
  /** Null: there is none yet. */
  readonly answer: TaskAnswer | null;
}

/** An answer to a question about a call. */
export type TaskAnswer = Extract<ApprovalDecision, { readonly type: "approved.once" | "approved.thread" | "denied" }>;

/** Bytes of JSON that a job may have; a larger text belongs in a file. */
export const largestJobBytes = 65_536;

/** The job of a task. BullMQ takes no colon and no number for an id, so the task's id is encoded. */
export function toJobId(taskId: string): string {
  return `t-${Buffer.from(taskId, "utf8").toString("base64url")}`;
}

/** The task of a job. */
export function toTaskId(jobId: string): string {
  return Buffer.from(jobId.slice(2), "base64url").toString("utf8");
}

/**
 * The thread of an attempt, 0 for the first. It is the same for every worker that asks, so that the
 * store lets only one of them in. Each attempt has a thread of its own.
 */
export function toThreadId(first: string, attempt: number): string {
  if (attempt === 0) return first;
  const digest = createHash("sha256").update(`${first} ${attempt}`).digest("hex");
  // the time and the version of a UUID of version 7 stay
  const head = `${first.slice(0, 15)}${digest.slice(0, 3)}`;
  return `${head}-${first.slice(19, 20)}${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}
