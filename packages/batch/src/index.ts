export { BatchError, type BatchErrorCode } from "./batch-error.ts";
export { openBatchJournal } from "./journal/open-batch-journal.ts";
export { createCacheShards } from "./pool/cache-shards.ts";
export { createProviderGate } from "./pool/provider-gate.ts";
export { runBatch, type BatchOptions } from "./pool/run-batch.ts";
export { runTask, type BatchRoom } from "./pool/run-task.ts";
export {
  createThreadRunner,
  type StartedThread,
  type TaskPlace,
  type ThreadRunnerOptions,
} from "./task/create-thread-runner.ts";
export { estimateLeastCost } from "./task/estimate-least-cost.ts";
export { type EvaluatedRun, type EvaluatedTask, parseResults } from "./task/parse-results.ts";
export { parseTaskResult } from "./task/parse-task-result.ts";
export { encodeTask, parseTasks } from "./task/parse-tasks.ts";

export type { BatchJournal, TaskRecord } from "./journal/batch-journal.ts";
export type { BatchEvent, BatchSummary } from "./pool/batch-event.ts";
export type { BatchPause } from "./pool/provider-gate.ts";
export type { BatchTask, TaskChanges, TaskOutcome, TaskResult } from "./task/batch-task.ts";
export type { TaskContext, TaskRunner, TaskThread } from "./task/task-runner.ts";
