/** In ms: how long a call waits. */
export const answerMs = 4_000;

/** Calls that BullMQ does not have. Each rejects if the server does not answer. */
export interface ServerAccess extends AsyncDisposable {
  /**
   * The server's clock, in ms since 1970. BullMQ takes times from each worker: of delays on both servers, and of locks on PostgreSQL.
   */
  readTime(): Promise<number>;
  /** Corrects times that a worker wrote whose clock was ahead: the other workers would wait until then. */
  repairTimes(queueName: string, spans: QueueSpans): Promise<void>;
  /** Which of these jobs have `cancelMark` as their progress. One look for all of them. */
  findCancelled(jobs: readonly JobPlace[]): Promise<readonly JobPlace[]>;
}

/** Where a job is: two queues may have jobs with the same id. */
export interface JobPlace {
  readonly queueName: string;
  readonly jobId: string;
}

/** The times of a queue that all of its workers share, in ms. */
export interface QueueSpans {
  readonly lockMs: number;
  /** Tasks are counted for the rate over this time. */
  readonly rateMs: number;
}
