/** Why a batch does not start. */
export type BatchErrorCode =
  /** The list of tasks is wrong: nothing was started. */
  | "invalid_tasks"
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
