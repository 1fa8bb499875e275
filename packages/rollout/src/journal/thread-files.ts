import type { GitFacts } from "@unroll/files";
import type { TendedThread, ThreadStore, ThreadUpkeep } from "@unroll/protocol";
import type { ThreadHold } from "./continue-thread.ts";
import type { AppendFile } from "../file/append-file.ts";
import type { DraftFile } from "../file/draft-file.ts";
import type { ReadableFile } from "../file/read-lines.ts";

/** The files of threads by the id of the thread, wherever they are: in memory, in a database. */
export interface ThreadFiles extends Pick<ThreadStore, "list"> {
  readonly upkeep: Omit<ThreadUpkeep, "rename" | "repair" | "export" | "import"> & {
    /** Begins another version of one that is there and held: when it is published, it replaces the thread in one step. */
    redraft(threadId: string): Promise<DraftFile>;
  };
  /** The thread with this id, or with the only id that begins with it. Throws `ThreadStoreError` `thread_missing`, `thread_ambiguous`. */
  find(idOrStart: string): Promise<FoundThread>;
  /** As it is now: what is written meanwhile may be missing. */
  read(threadId: string): Promise<ReadableFile>;
  /** One that is there and held. */
  open(threadId: string): Promise<AppendFile>;
  /** Begins one that is held, empty: it is there for `find` and `list` when it is published. Throws `thread_exists` if it is there already. */
  create(threadId: string): Promise<DraftFile>;
  /** Throws `ThreadStoreError` `thread_locked`. */
  hold(threadId: string): Promise<ThreadHold>;
  /** The repository that a folder is in. Absent: new threads say nothing of it. */
  readonly readGit?: (cwd: string) => GitFacts | null;
}

/** A thread's file. */
export interface FoundThread extends TendedThread {
  readonly isArchived: boolean;
  /** When it was used last, in ms since 1970; null: unknown. */
  readonly usedAt: number | null;
  /** In bytes. */
  readonly size: number;
}
