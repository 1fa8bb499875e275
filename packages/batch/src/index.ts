export { BatchError, type BatchErrorCode } from "./batch-error.ts";
export { openBatchJournal } from "./journal/open-batch-journal.ts";
export { runBatch, type BatchOptions } from "./pool/run-batch.ts";
export { createThreadRunner, type ThreadRunnerOptions } from "./task/create-thread-runner.ts";
export { parseTasks } from "./task/parse-tasks.ts";

export type { BatchJournal, TaskRecord } from "./journal/batch-journal.ts";
export type { BatchEvent, BatchSummary } from "./pool/batch-event.ts";
export type { BatchPause } from "./pool/provider-gate.ts";
export type { BatchTask, TaskOutcome, TaskResult } from "./task/batch-task.ts";
export type { TaskContext, TaskRunner, TaskThread } from "./task/task-runner.ts";
