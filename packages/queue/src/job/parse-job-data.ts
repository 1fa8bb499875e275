import { encodeTask, parseTaskResult, parseTasks } from "@unroll/batch";
import * as z from "zod";
import { QueueError } from "../queue-error.ts";
import type { JobData } from "./job-data.ts";

const count = z.number().int().nonnegative();

const jobSchema = z.strictObject({
  task: z.unknown(),
  thread_id: z.string(),
  begun: z.object({ attempt: count, thread_id: z.string(), turns: count }).nullable(),
  ended: z.object({ attempt: count, result: z.unknown() }).nullable(),
});

/** The data of a job, as the queue has it. Throws `QueueError` `queue_task` for what this version does not know. */
export function parseJobData(value: unknown, taskId: string): JobData {
  const place = `The task ${taskId} in the queue`;
  const parsed = jobSchema.safeParse(value);
  if (!parsed.success)
    throw new QueueError("queue_task", `${place} was written by another version of unroll. Update this worker.`);
  const { task, thread_id: threadId, begun, ended } = parsed.data;
  const [read] = parseTasks(JSON.stringify(task), place);
  if (read === undefined) throw new QueueError("queue_task", `${place} is empty.`);
  return {
    task: read,
    threadId,
    begun: begun && { attempt: begun.attempt, threadId: begun.thread_id, turns: begun.turns },
    ended: ended && { attempt: ended.attempt, result: parseTaskResult(ended.result) },
  };
}

/** The data of a job for the queue; `parseJobData` reads them. */
export function encodeJobData({ task, threadId, begun, ended }: JobData): object {
  return {
    task: encodeTask(task),
    thread_id: threadId,
    begun: begun && { attempt: begun.attempt, thread_id: begun.threadId, turns: begun.turns },
    ended,
  };
}
