import type { BatchJournal } from "../journal/batch-journal.ts";
import type { BatchTask, TaskResult } from "../task/batch-task.ts";
import type { TaskThread } from "../task/task-runner.ts";

/** The tasks to run, by what earlier processes recorded. */
export interface BatchPlan {
  readonly pending: readonly { readonly task: BatchTask; readonly begun: TaskThread | null }[];
  /** In the order in which they ended. */
  readonly finished: readonly TaskResult[];
  /** Ids of tasks that began or ended with another line. */
  readonly changed: readonly string[];
  /** The spending of earlier processes on tasks that ended. */
  readonly spent: { readonly tokens: number; readonly cost: number };
}

/** A task that ended is not run again, and one that was cut off continues. */
export function planBatch(tasks: readonly BatchTask[], journal: BatchJournal | null, onlyFailed: boolean): BatchPlan {
  const pending: { readonly task: BatchTask; readonly begun: TaskThread | null }[] = [];
  const done = new Set<string>();
  const changed: string[] = [];
  for (const task of tasks) {
    const known = journal?.records.get(task.id) ?? null;
    const record = known?.digest === journal?.digest(task) ? known : null;
    if (known !== null && record === null) changed.push(task.id);
    const isOpen = record === null || record.result === null || record.begun !== null;
    const hasFailed = record?.result?.status === "failed";
    if (onlyFailed ? hasFailed : isOpen) pending.push({ task, begun: record?.begun ?? null });
    else if (record?.result) done.add(task.id);
  }
  const ends = [...(journal?.records.values() ?? [])].flatMap(({ result }) => result ?? []);
  const finished = ends.filter(({ id }) => done.has(id));
  const tokens = ends.reduce((sum, { usage }) => sum + usage.input_tokens + usage.output_tokens, 0);
  const cost = ends.reduce((sum, result) => sum + (result.cost ?? 0), 0);
  return { pending, finished, changed, spent: { tokens, cost } };
}
