import type { GitFacts } from "@unroll/files";
import type { Clock } from "@unroll/flow";
import type { ResumedThread, ThreadStore } from "@unroll/protocol";
import type { DraftFile } from "./file/draft-file.ts";
import { continueThread, type ThreadToContinue } from "./journal/continue-thread.ts";
import { createLateJournal } from "./journal/late-journal.ts";
import { watchThread } from "./journal/watch-thread.ts";
import { type LoadedRollout, parseRollout } from "./load/load-rollout.ts";
import type { FoundThread, ThreadFiles } from "./journal/thread-files.ts";
import { openByteUpkeep } from "./upkeep/open-byte-upkeep.ts";
import { toArchivedError } from "./thread-store-error.ts";

/** `openThreadStore` with other files than this machine's, in the same format. */
export function openThreadStoreOn(files: ThreadFiles, clock: Pick<Clock, "now">): ThreadStore {
  async function read(threadId: string, scope: "all" | "live"): Promise<LoadedRollout> {
    return parseRollout(await files.read(threadId), { path: `Thread ${threadId}`, threadId, scope });
  }

  /** `check`: gets the thread as it is when nobody else changes it any more. */
  async function resume(id: string, check: (found: FoundThread) => void): Promise<ResumedThread> {
    const { threadId } = await files.find(id);
    const lock = await files.hold(threadId);
    const load = async (): ReturnType<ThreadToContinue["load"]> => {
      const found = await files.find(threadId);
      check(found);
      return { ...(await read(threadId, "live")), usedAt: found.usedAt };
    };
    return continueThread({ threadId, path: threadId, lock, load, open: () => files.open(threadId), clock });
  }

  const load: ThreadStore["load"] = async (id) => {
    const { threadId, usedAt } = await files.find(id);
    const { entries, facts, repairs } = await read(threadId, "all");
    return { threadId, entries, usedAt, facts, repairs };
  };

  return {
    async create(meta, first = []) {
      const held = new AsyncDisposableStack();
      const lost = new AbortController();
      const path = meta.threadId;
      async function open(): Promise<DraftFile> {
        await using opening = new AsyncDisposableStack();
        const hold = opening.use(await files.hold(path));
        const file = await files.create(path);
        hold.lost?.addEventListener("abort", () => lost.abort(hold.lost?.reason));
        held.use(opening.move());
        return file;
      }
      const readGit = (): GitFacts | null => files.readGit?.(meta.cwd) ?? null;
      return createLateJournal({ path, open, meta, first, readGit, clock, held, lost: lost.signal });
    },
    load,
    resume: (id) =>
      resume(id, ({ threadId, isArchived }) => {
        if (isArchived) throw toArchivedError(threadId);
      }),
    async *watch(id, watching) {
      const { threadId } = await files.find(id);
      const measure = async (): Promise<number | null> => (await files.find(threadId)).size;
      const thread = { threadId, path: `Thread ${threadId}`, measure, open: () => files.read(threadId) };
      yield* watchThread(thread, watching);
    },
    list: (query) => files.list(query),
    upkeep: {
      ...files.upkeep,
      async rename(id, name) {
        const { threadId, journal } = await resume(id, () => {});
        await using _ = journal;
        journal.record({ type: "note", key: "name", value: name });
        return await files.find(threadId);
      },
      ...openByteUpkeep(files, clock),
    },
    async find(_which, query) {
      for await (const { threadId } of files.list({ ...query, limit: 1 })) return threadId;
      return null;
    },
  };
}
