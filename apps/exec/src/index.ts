export { defineExecCommand, defineReviewCommand } from "./define-exec-command.ts";
export { addQueueFlags, defineWorkerCommand, type QueueFlags } from "./queue/define-worker-command.ts";
export { openNamedQueue } from "./queue/open-named-queue.ts";
export { runExec } from "./run-exec.ts";

export { runQueueWorker } from "./queue/run-worker.ts";

export type { ExecOptions } from "./exec-options.ts";
