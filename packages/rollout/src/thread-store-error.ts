/** Why the store refuses a thread. */
export type ThreadStoreErrorCode =
  /** There is no thread of this id. */
  | "thread_missing"
  /** There is a thread of this id already. */
  | "thread_exists"
  /** Several threads have an id that begins so. */
  | "thread_ambiguous"
  /** The thread is archived, and is only read there. */
  | "thread_archived"
  /** Another process holds the thread. */
  | "thread_locked"
  /** The file system of the threads has no locks, and the store needs them (`needsLocks`). */
  | "no_locks"
  /** A newer version of unroll wrote something in it that this one does not know: it is only read here. */
  | "thread_newer"
  /** Another process has taken the thread over while this one held it. */
  | "thread_lost"
  /** The file is not a thread. */
  | "thread_unreadable";

/** An error that a caller can fix; the message says where and how. */
export class ThreadStoreError extends Error {
  override readonly name = "ThreadStoreError";
  readonly code: ThreadStoreErrorCode;

  constructor(code: ThreadStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The error for a thread that is archived and can only be read. */
export function toArchivedError(threadId: string): ThreadStoreError {
  return new ThreadStoreError(
    "thread_archived",
    `The thread ${threadId} is archived: restore it first (unroll threads unarchive ${threadId}), or continue in a copy (unroll fork ${threadId}).`,
  );
}

/** The error for a thread that is there already. */
export function toExistsError(threadId: string, place: string): ThreadStoreError {
  const message = `There is a thread ${threadId} already: ${place}. It is unchanged.`;
  return new ThreadStoreError("thread_exists", message);
}
