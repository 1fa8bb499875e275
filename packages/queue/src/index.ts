export { openTaskQueue, type AddOptions, type TaskQueue, type TaskQueueOptions } from "./open-task-queue.ts";
export { QueueError, type QueueErrorCode } from "./queue-error.ts";
export { runWorker, type WorkerEvent, type WorkerOptions, type WorkerSummary } from "./run-worker.ts";

export type { TaskAnswer } from "./job/job-data.ts";
export type { QueuedTask, TaskState } from "./job/queued-task.ts";
