import { encodeTask, parseTaskResult, parseTasks } from "@unroll/batch";
import * as z from "zod";
import { QueueError } from "../queue-error.ts";
import type { JobData, TaskAnswer } from "./job-data.ts";

const count = z.number().int().nonnegative();

const answerSchema: z.ZodType<TaskAnswer> = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("approved.once") }),
  z.strictObject({ type: z.literal("approved.thread") }),
  z.strictObject({ type: z.literal("denied"), reason: z.string().nullable() }),
]);
const questionSchema = z.strictObject({ id: z.string(), question: z.unknown(), answer: answerSchema.nullable() });

const jobSchema = z.strictObject({
  task: z.unknown(),
  thread_id: z.string(),
  begun: z.object({ attempt: count, thread_id: z.string(), turns: count }).nullable(),
  ended: z.object({ attempt: count, result: z.unknown() }).nullable(),
  questions: z.array(questionSchema).default([]),
});

/** The data of a job, as the queue has it. Throws `QueueError` `queue_task` for what this version does not know. */
export function parseJobData(value: unknown, taskId: string): JobData {
  const place = `The task ${taskId} in the queue`;
  const parsed = jobSchema.safeParse(value);
  if (!parsed.success)
    throw new QueueError("queue_task", `${place} was written by another version of unroll. Update this worker.`);
  const { task, thread_id: threadId, begun, ended, questions } = parsed.data;
  const [read] = parseTasks(JSON.stringify(task), place);
  if (read === undefined) throw new QueueError("queue_task", `${place} is empty.`);
  return {
    task: read,
    threadId,
    begun: begun && { attempt: begun.attempt, threadId: begun.thread_id, turns: begun.turns },
    ended: ended && { attempt: ended.attempt, result: parseTaskResult(ended.result) },
    questions,
  };
}

/** The data of a job for the queue; `parseJobData` reads them. */
export function encodeJobData({ task, threadId, begun, ended, questions }: JobData): object {
  return {
    task: encodeTask(task),
    thread_id: threadId,
    begun: begun && { attempt: begun.attempt, thread_id: begun.threadId, turns: begun.turns },
    ended,
    ...(questions.length > 0 && { questions }),
  };
}
