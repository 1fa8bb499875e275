import type { QueueServerClient, TaskJob } from "../open-server.ts";

/** The task ended, and failed. */
export class FailedTask extends Error {
  override readonly name = "FailedTask";
}

/** Whether it is how BullMQ hears what becomes of a job. */
export function isVerdict(error: unknown, bullmq: QueueServerClient["bullmq"]): boolean {
  const verdicts = [FailedTask, bullmq.UnrecoverableError, bullmq.DelayedError, bullmq.WaitingError];
  return verdicts.some((verdict) => error instanceof verdict);
}

/** BullMQ (6.7) fails a job whose end it could not write, too. Left as it is, the job goes to another worker when its lock ends. */
export function keepFromFailing(job: TaskJob, bullmq: QueueServerClient["bullmq"]): void {
  const moveToFailed = job.moveToFailed.bind(job);
  job.moveToFailed = (error, ...more) =>
    isVerdict(error, bullmq) ? moveToFailed(error, ...more) : Promise.reject(error);
}
