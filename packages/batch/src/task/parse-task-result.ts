import * as z from "zod";
import type { TaskResult } from "./batch-task.ts";

const count = z.number().int().nonnegative();

/** A result as a journal or a queue has it. */
export const taskResultSchema: z.ZodType<TaskResult> = z.object({
  id: z.string(),
  thread_id: z.string().nullable(),
  status: z.enum(["completed", "failed"]),
  final_message: z.string().nullable(),
  value: z.unknown(),
  usage: z.object({
    input_tokens: count,
    cached_input_tokens: count,
    cache_write_input_tokens: count,
    output_tokens: count,
    reasoning_output_tokens: count,
  }),
  cost: z.number().nullable(),
  uncached_cost: z.number().nullable().default(null),
  duration_ms: z.number(),
  worktree: z.string().nullable().default(null),
  branch: z.string().nullable().default(null),
  diff: z.string().nullable().default(null),
  lost_changes: z.literal(true).exactOptional(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});

/** Reads a result that a queue carried. Throws zod's error if it is something else. */
export function parseTaskResult(value: unknown): TaskResult {
  return taskResultSchema.parse(value);
}
