/** Why a batch does not start, or its results cannot be compared. */
export type BatchErrorCode =
  /** The list of tasks is wrong: nothing was started. */
  | "invalid_tasks"
  /** A file of results is wrong. */
  | "invalid_results"
  /** The journal belongs to another program, or another process runs this batch. */
  | "batch_journal";

/** An error that you can fix; the message says where and how. */
export class BatchError extends Error {
  override readonly name = "BatchError";
  readonly code: BatchErrorCode;

  constructor(code: BatchErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
