import type { TokenUsage } from "../event/token-usage.ts";
import type { Journal, JournalEntry } from "./journal.ts";

/** Where threads last: on disk, in a database. */
export interface ThreadStore {
  /**
   * Starts a thread with these first entries, which a fork has from another thread. Absent: with none. The store keeps the thread from
   * the first turn on that is recorded in its journal, with all that came before; a thread without a turn leaves nothing.
   */
  create(meta: ThreadMeta, entries?: readonly JournalEntry[]): Promise<StoredJournal>;
  /**
   * Reads a thread without holding it; another process may be writing it. `threadId`: or the beginning of one id. Throws where
   * there is none or are several, or it cannot be read.
   */
  load(threadId: string): Promise<StoredThread>;
  /**
   * Reads a thread and holds it, to be gone on with: all but the items of epochs that are not sent any more, of whose requests several may be told as one. Throws what
   * `load` throws, and where another process holds it.
   */
  resume(threadId: string): Promise<ResumedThread>;
  /** The one used last first; reads no more of them than are asked for. */
  list(query?: ThreadQuery): AsyncIterable<ThreadSummary>;
  /** The id of the thread that was used last; null where there is none. */
  find(which: "last", query?: ThreadQuery): Promise<string | null>;
}

/** A journal that is held by this process until it is disposed. */
export interface StoredJournal extends Journal, AsyncDisposable {
  /** Whether the store has the thread: a new one, from its first turn on. */
  readonly isKept: boolean;
}

/** What is known of a thread when it is begun. */
export interface ThreadMeta {
  readonly threadId: string;
  readonly cwd: string;
  /** `my-program/1.2.0`, or a name alone. */
  readonly userAgent: string;
  readonly modelProvider: string;
  /** Null: it was begun anew. */
  readonly forkedFrom: string | null;
}

/** Which threads are listed. */
export interface ThreadQuery {
  /** Threads that were begun in this folder. Absent: in any. */
  readonly cwd?: string;
  /** Those that were put away, and no others. Absent: the others. */
  readonly archived?: boolean;
}

/** A thread as a list shows it, by what can be read quickly. */
export interface ThreadSummary {
  readonly threadId: string;
  /** Ms since 1970. */
  readonly createdAt: number;
  /** When it was written last, in ms since 1970. */
  readonly usedAt: number;
  /** Null: it does not say. */
  readonly cwd: string | null;
  /** Of git, when it was begun; null: none was seen. */
  readonly branch: string | null;
  /** As a person named it; null: nobody has. */
  readonly name: string | null;
  /** The beginning of what a person said first; null where nobody has. */
  readonly title: string | null;
  /** Of the last turn; null: it does not say. */
  readonly model: string | null;
  /** Id of the one that it was begun with; null: it does not say. */
  readonly provider: string | null;
  readonly turns: number;
  /** Of all its turns; null: it does not say. */
  readonly usage: TokenUsage | null;
  /** In tokens, of the request that had the most input; null, or absent: it does not say. */
  readonly longestInput?: number | null;
}

/** A thread as the store has it. */
export interface StoredThread {
  readonly threadId: string;
  /** All that it takes to go on: every call in them has one output, but for those of a turn that was cut off. */
  readonly entries: readonly JournalEntry[];
  /** When it was written last, in ms since 1970; null: the store does not know. */
  readonly usedAt: number | null;
  /** What was mended to have it so, a sentence each. */
  readonly repairs: readonly string[];
}

/** A stored thread that goes on here: its journal is held until it is disposed. */
export interface ResumedThread extends StoredThread {
  readonly journal: StoredJournal;
}
