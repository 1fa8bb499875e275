import * as z from "zod";
import { taskResultSchema } from "../task/parse-task-result.ts";
import type { TaskRecord } from "./batch-journal.ts";

const entrySchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("task.began"),
    id: z.string(),
    digest: z.string(),
    thread_id: z.string(),
    turns: z.number().int().nonnegative(),
  }),
  z.object({ type: z.literal("task.ended"), id: z.string(), digest: z.string(), result: taskResultSchema }),
]);

/** The records in a journal's whole lines. Null: the file is not a journal. */
export function parseJournal(lines: string): ReadonlyMap<string, TaskRecord> | null {
  const records = new Map<string, TaskRecord>();
  for (const line of lines.split("\n")) {
    if (line === "") continue;
    const entry = entrySchema.safeParse(parseLine(line));
    if (!entry.success) return null;
    const { id, digest } = entry.data;
    const before = records.get(id);
    const result = before?.digest === digest ? before.result : null;
    records.delete(id); // their order is that of the last entries
    if (entry.data.type === "task.ended") records.set(id, { digest, begun: null, result: entry.data.result });
    else records.set(id, { digest, result, begun: { threadId: entry.data.thread_id, turns: entry.data.turns } });
  }
  return records;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
