import type { Clock } from "@unroll/flow";
import type { StoredThread, ThreadStore } from "@unroll/protocol";
import type { AppendFile } from "./file/append-file.ts";
import type { DraftFile } from "./file/draft-file.ts";
import type { ReadableFile } from "./file/read-lines.ts";
import { continueThread, type ThreadToContinue } from "./journal/continue-thread.ts";
import { createLateJournal } from "./journal/late-journal.ts";
import { parseRollout } from "./load/load-rollout.ts";
import { ThreadStoreError } from "./thread-store-error.ts";

/** The files of threads by the id of the thread, wherever they are: in memory, behind a network. */
export interface ThreadFiles extends Pick<ThreadStore, "list" | "upkeep"> {
  /** Null: there is none. */
  read(threadId: string): Promise<ReadableFile | null>;
  /** One that is there. */
  open(threadId: string): Promise<AppendFile>;
  /** Begins one, empty: it is there for `read` and `list` when it is published. */
  create(threadId: string): Promise<DraftFile>;
  /** Until it is disposed nobody else writes the thread. Throws `ThreadStoreError` `thread_locked`. */
  hold(threadId: string): Promise<AsyncDisposable>;
}

/** `openThreadStore` with other files than this machine's, in the same format. Ids are whole, and no thread is archived. */
export function openThreadStoreOn(files: ThreadFiles, clock: Pick<Clock, "now">): ThreadStore {
  async function read(threadId: string): Promise<ReadableFile> {
    const file = await files.read(threadId);
    if (file === null) throw new ThreadStoreError("thread_missing", `There is no thread ${threadId}.`);
    return file;
  }

  return {
    async create(meta, first = []) {
      const held = new AsyncDisposableStack();
      const path = meta.threadId;
      async function open(): Promise<DraftFile> {
        await using opening = new AsyncDisposableStack();
        opening.use(await files.hold(path));
        const file = await files.create(path);
        held.use(opening.move());
        return file;
      }
      return createLateJournal({ path, open, meta, first, readGit: () => null, clock, held });
    },
    async load(threadId): Promise<StoredThread> {
      const options = { path: threadId, threadId, scope: "all" } as const;
      const { entries, facts, repairs } = await parseRollout(await read(threadId), options);
      return { threadId, entries, usedAt: null, facts, repairs };
    },
    async resume(threadId) {
      const file = await read(threadId);
      const load = async (): ReturnType<ThreadToContinue["load"]> => {
        return { ...(await parseRollout(file, { path: threadId, threadId, scope: "live" })), usedAt: null };
      };
      const lock = await files.hold(threadId);
      const open = (): Promise<AppendFile> => files.open(threadId);
      return continueThread({ threadId, path: threadId, lock, load, open, clock });
    },
    list: (query) => files.list(query),
    upkeep: files.upkeep,
    async find(_which, query) {
      for await (const { threadId } of files.list(query)) return threadId;
      return null;
    },
  };
}
