import type { ThreadSummary } from "./thread-summary.ts";

/**
 * Upkeep of saved threads: archive, delete, free space. `threadId`: the whole id, or a prefix. Each
 * call locks the thread meanwhile. It throws the errors of `ThreadStore.load`, and `thread_locked`
 * if another process holds the thread.
 */
export interface ThreadUpkeep {
  /** The whole id and the place, whether or not it is open. */
  find(threadId: string): Promise<TendedThread>;
  /** Archives a thread: it is not listed and cannot be resumed until it is unarchived, but it can be read. Throws if it is archived already. */
  archive(threadId: string): Promise<TendedThread>;
  /** Throws if the thread is not archived. */
  unarchive(threadId: string): Promise<TendedThread>;
  /** Names a thread that is not open, archived or not; null: it has no name any more. It does not count as a use. */
  rename(threadId: string, name: string | null): Promise<TendedThread>;
  /**
   * Removes what cannot be read or no server would take; the rest stays byte for byte. The thread as it was stays aside. It does not
   * count as a use. Throws `thread_unreadable`, too, if nothing of it can be read.
   */
  repair(threadId: string): Promise<RepairedThread>;
  /** The bytes of a thread in the format of the store. Does not hold it: what is written meanwhile may be missing. */
  export(threadId: string): AsyncIterable<Uint8Array>;
  /** Adds the thread of such bytes, which stay as they are. Throws `thread_exists` if there is one of its id, and `thread_unreadable`. */
  import(bytes: AsyncIterable<Uint8Array>): Promise<TendedThread>;
  /** Deletes a thread for good, archived or not. */
  remove(threadId: string): Promise<TendedThread>;
  /** Deletes it unless it was used after `usedAt`, in ms since 1970. Returns whether it did. */
  removeUnused(threadId: string, usedAt: number): Promise<boolean>;
  /** Threads that may be deleted, the oldest first: none that a process holds. */
  collect(query: CollectQuery): AsyncIterable<CollectedThread>;
  /** The threads that a process has open now, this one or another. None is locked for it. */
  listOpen(): Promise<readonly OpenThread[]>;
  /** Removes what is left of threads whose first write was cut off. Returns of how many. */
  sweep(): Promise<number>;
  /** Whether threads can be kept here, tried out: something written, a lock held. Leaves no file. Throws what is refused. */
  check(): Promise<CheckedStore>;
}

/** The result of a check of the place where threads are saved. */
export interface CheckedStore {
  /** A folder, or a URL without a password. */
  readonly place: string;
  /** A sentence where two processes could write one thread, for nothing keeps them apart; else null. */
  readonly warning: string | null;
}

/** A thread that was moved or removed. */
export interface TendedThread {
  /** Whole. */
  readonly threadId: string;
  /** Where it is now, or was, for people: the absolute path of its file, or a URL without a password. */
  readonly place: string;
}

/** A thread that a repair looked at. */
export interface RepairedThread extends TendedThread {
  /** Where the thread is now as it was before; null: nothing was wrong with it, and nothing was written. */
  readonly aside: string | null;
  /** A sentence each. */
  readonly repairs: readonly string[];
}

/** A thread that a process has open. */
export interface OpenThread {
  readonly threadId: string;
  /** The id of the process; null: unknown. */
  readonly pid: number | null;
}

/** Which threads may be deleted. */
export interface CollectQuery {
  /** Threads last used before this, in ms since 1970. */
  readonly usedBefore: number;
  /** Archived ones, too. */
  readonly archived: boolean;
}

/** A thread that may be deleted. */
export interface CollectedThread extends TendedThread {
  /** In bytes; null: the store does not know. */
  readonly size: number | null;
  /** In ms since 1970. */
  readonly usedAt: number;
  readonly isArchived: boolean;
  /** Null: it cannot be read. */
  readonly summary: ThreadSummary | null;
}
