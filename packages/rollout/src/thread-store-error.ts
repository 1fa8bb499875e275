export type ThreadStoreErrorCode =
  /** There is no thread of this id. */
  | "thread_missing"
  /** Another process holds the thread. */
  | "thread_locked"
  /** The file is no thread. */
  | "thread_unreadable";

/** What a caller can mend; the message says where and how. */
export class ThreadStoreError extends Error {
  override readonly name = "ThreadStoreError";
  readonly code: ThreadStoreErrorCode;

  constructor(code: ThreadStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
