import type { BatchTask, TaskResult } from "../task/batch-task.ts";
import type { TaskThread } from "../task/task-runner.ts";

/** A task as earlier processes recorded it. */
export interface TaskRecord {
  /** Null: it has not ended. */
  readonly result: TaskResult | null;
  /** Present: it began after `result`, and was cut off. */
  readonly begun: TaskThread | null;
  /** A digest of the task. */
  readonly digest: string;
}

/** Remembers which tasks began and ended, so that another process continues the batch. */
export interface BatchJournal {
  /** Tasks by id. */
  readonly records: ReadonlyMap<string, TaskRecord>;
  /** A digest of a task: a task that changed is another one. */
  digest(task: BatchTask): string;
  /** Resolves when the entry is written. */
  began(task: BatchTask, thread: TaskThread): Promise<void>;
  ended(task: BatchTask, result: TaskResult): Promise<void>;
}
