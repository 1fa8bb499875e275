/** The clock of the queue's server. BullMQ takes times from each worker: of delays on both servers, and of locks on PostgreSQL. */
export interface ServerClock extends AsyncDisposable {
  /** In ms since 1970. Rejects if the server does not answer. */
  readTime(): Promise<number>;
  /** Corrects times that a worker wrote whose clock was ahead: the other workers would wait until then. */
  repairTimes(queueName: string, spans: QueueSpans): Promise<void>;
}

/** The times of a queue that all of its workers share, in ms. */
export interface QueueSpans {
  readonly lockMs: number;
  /** Tasks are counted for the rate over this time. */
  readonly rateMs: number;
}
