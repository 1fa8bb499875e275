import type { Journal, JournalEntry } from "./journal.ts";
import type { ThreadSummary } from "./thread-summary.ts";
import type { ThreadParent } from "./thread-notes.ts";
import type { ThreadUpkeep } from "./thread-upkeep.ts";

/** Where threads last: on disk, in a database. */
export interface ThreadStore {
  /**
   * Starts a thread with these first entries, which a fork has from another thread. Absent: with none. The store keeps the thread from
   * the first turn on that is recorded in its journal, with all that came before; a thread without a turn leaves nothing.
   */
  create(meta: ThreadMeta, entries?: readonly JournalEntry[]): Promise<StoredJournal>;
  /**
   * Reads a thread without holding it; another process may be writing it. `threadId`: or the beginning of one id. Throws an error with a
   * `code`: `thread_missing` if there is none, `thread_ambiguous` if there are several, `thread_unreadable` if it cannot be read.
   */
  load(threadId: string): Promise<StoredThread>;
  /**
   * Reads a thread and locks it, to be resumed: everything except the items of epochs that are no
   * longer sent, whose requests may be combined. Throws the errors of `load`, and `thread_locked`
   * if another process holds it, `thread_archived` if it is archived.
   */
  resume(threadId: string): Promise<ResumedThread>;
  /** Most recently used first; reads only as many as you ask for. */
  list(query?: ThreadQuery): AsyncIterable<ThreadSummary>;
  /** The id of the thread that was used last; null where there is none. */
  find(which: "last", query?: ThreadQuery): Promise<string | null>;
  /**
   * Follows a thread that another process may be writing: its entries from number `from` on, and then those that are added, until
   * `signal`. Throws the errors of `load`.
   */
  watch(threadId: string, options: WatchOptions): AsyncIterable<readonly JournalEntry[]>;
  readonly upkeep: ThreadUpkeep;
}

/** Where and how long a thread is followed. */
export interface WatchOptions {
  /** How many of its entries are left out; absent: none. */
  readonly from?: number;
  readonly signal: AbortSignal;
}

/** A journal that is held by this process until it is disposed. */
export interface StoredJournal extends Journal, AsyncDisposable {
  /** Whether the store has the thread: a new one, from its first turn on. */
  readonly isKept: boolean;
  /**
   * Aborted with the reason when this process holds the thread no more, although nobody has disposed of it: another one has taken it
   * over, or may have. The turn then ends at once, and nothing more is written. Absent: that cannot happen here.
   */
  readonly lost?: AbortSignal;
}

/** Facts about a thread when it is created. */
export interface ThreadMeta {
  readonly threadId: string;
  readonly cwd: string;
  /** `my-program/1.2.0`, or a name alone. */
  readonly userAgent: string;
  readonly modelProvider: string;
  /** Null: it is not a fork. */
  readonly forkedFrom: string | null;
  /** The thread that started this one as a sub-agent. Absent: none did. */
  readonly parent?: Pick<ThreadParent, "threadId" | "depth">;
}

/** Which threads are listed. */
export interface ThreadQuery {
  /** Threads started in this folder. Absent: in any. */
  readonly cwd?: string;
  /** Only threads that this one started as sub-agents, by its whole id. */
  readonly parent?: string;
  /** Only archived threads. Absent: only the others. */
  readonly archived?: boolean;
  /** Only threads whose name or title contains this text, in any case. */
  readonly search?: string;
  /** Only threads behind this one in the list, by its id; none if it is not there. */
  readonly after?: string;
  /** Absent: all of them. */
  readonly limit?: number;
}

/** A thread as the store has it. */
export interface StoredThread {
  readonly threadId: string;
  /**
   * Everything needed to resume: every call in them has one output, except those of a turn that was
   * cut off.
   */
  readonly entries: readonly JournalEntry[];
  /** When it was written last, in ms since 1970; null: the store does not know. */
  readonly usedAt: number | null;
  /** Its file, absolute; absent: the store has none. */
  readonly path?: string;
  /** Facts that its entries do not have; absent: the store does not know them. */
  readonly facts?: Pick<ThreadSummary, "branch" | "source" | "forkedFrom" | "parent" | "usage">;
  /** Repairs that were necessary, one sentence each. */
  readonly repairs: readonly string[];
}

/** A stored thread that is resumed here: its journal is locked until it is disposed. */
export interface ResumedThread extends StoredThread {
  readonly journal: StoredJournal;
}
