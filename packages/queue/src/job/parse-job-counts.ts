import * as z from "zod";

const counts = z.record(z.string(), z.number());

/**
 * How many jobs are in each of BullMQ's states. On PostgreSQL the waiting jobs of a paused queue are
 * `paused`, a state that BullMQ's types do not name.
 */
export async function parseJobCounts(
  queue: object,
): Promise<
  Readonly<Record<"waiting" | "prioritized" | "paused" | "delayed" | "active" | "completed" | "failed", number>>
> {
  const read = Reflect.get(queue, "getJobCounts") as (...states: string[]) => Promise<unknown>;
  const states = ["waiting", "prioritized", "paused", "delayed", "active", "completed", "failed"];
  const {
    waiting = 0,
    prioritized = 0,
    paused = 0,
    delayed = 0,
    active = 0,
    completed = 0,
    failed = 0,
  } = counts.parse(await Reflect.apply(read, queue, states));
  return { waiting, prioritized, paused, delayed, active, completed, failed };
}
