import type { ThreadSummary } from "./thread-summary.ts";

/**
 * Upkeep of saved threads: archive, delete, free space. `threadId`: the whole id, or a prefix. Each
 * call locks the thread meanwhile. It throws the errors of `ThreadStore.load`, and `thread_locked`
 * if another process holds the thread.
 */
export interface ThreadUpkeep {
  /** Archives a thread: it is not listed and cannot be resumed until it is unarchived, but it can be read. Throws if it is archived already. */
  archive(threadId: string): Promise<TendedThread>;
  /** Throws if the thread is not archived. */
  unarchive(threadId: string): Promise<TendedThread>;
  /** Names a thread that is not open, archived or not; null: it has no name any more. It does not count as a use. */
  rename(threadId: string, name: string | null): Promise<TendedThread>;
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
}

/** A thread that was moved or removed. */
export interface TendedThread {
  /** Whole. */
  readonly threadId: string;
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
export interface CollectedThread {
  readonly threadId: string;
  /** In bytes; null: the store does not know. */
  readonly size: number | null;
  /** In ms since 1970. */
  readonly usedAt: number;
  readonly isArchived: boolean;
  /** Null: it cannot be read. */
  readonly summary: ThreadSummary | null;
}
