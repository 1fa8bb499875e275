import { existsSync, statSync } from "node:fs";
import { mkdir, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Clock } from "@unroll/flow";
import type { OpenThread, TendedThread, ThreadUpkeep } from "@unroll/protocol";
import { openPlainFile } from "@unroll/files";
import { openAppendFile } from "../file/append-file.ts";
import { openDraftFile } from "../file/draft-file.ts";
import { readBytes, writeDraft } from "../file/copy-bytes.ts";
import { createRolloutFolder, findFile, type RolloutFile } from "../file/rollout-folder.ts";
import { parseRolloutName, readIdTime } from "../file/rollout-name.ts";
import { isThreadHeld, lockThread, readHolder } from "../file/thread-lock.ts";
import { createEntryEncoder } from "../line/encode-entry.ts";
import { ThreadStoreError, toExistsError } from "../thread-store-error.ts";
import { appendLine } from "./append-line.ts";
import { checkPlace } from "./check-place.ts";
import { type CollectedPlace, collectThreads, removeThread, sweepUnmade } from "./collect-threads.ts";
import { createBesideReader } from "./files-beside.ts";
import { mendFile } from "./mend-file.ts";
import { readImport } from "./read-import.ts";

/** The folder of the threads, and the process that maintains them. */
export interface ThreadUpkeepOptions {
  /** Absolute. */
  readonly codexHome: string;
  readonly clock: Pick<Clock, "now">;
  /** Id of this process. */
  readonly pid: number;
  /** Whether the check refuses a file system without locks. */
  readonly needsLocks?: boolean | undefined;
}

/** Maintenance of thread files. Archived ones are in `archived_sessions`. */
export function openThreadUpkeep({ codexHome, clock, pid, needsLocks }: ThreadUpkeepOptions): ThreadUpkeep {
  const folder = createRolloutFolder(codexHome);
  const collected = new Map<string, CollectedPlace>();

  async function hold<Result>(id: string, use: (file: RolloutFile) => Promise<Result>): Promise<Result> {
    const file = findCollected(id) ?? (await findFile(folder, id));
    await using _ = await lockThread({ ...file, pid });
    return await use(file); // the lock is given back behind it
  }

  /** Null: it was not collected, or was moved or repaired since. */
  function findCollected(id: string): CollectedPlace | null {
    const place = collected.get(id) ?? null;
    const found = place === null ? undefined : statSync(place.path, { throwIfNoEntry: false });
    return found?.ino === place?.ino ? place : null;
  }

  return {
    archive: (id) =>
      hold(id, (file) => {
        if (file.isArchived)
          throw new ThreadStoreError("thread_archived", `The thread ${file.threadId} is archived already.`);
        return move(file, join(folder.archive, basename(file.path)));
      }),
    unarchive: (id) =>
      hold(id, (file) => {
        if (file.isArchived) return move(file, folder.placeOf(file));
        throw new ThreadStoreError("thread_missing", `The thread ${file.threadId} is not archived.`);
      }),
    rename: (id, name) =>
      hold(id, async (file) => {
        const encoder = createEntryEncoder({ meta: null, clock, before: [], numbering: null });
        await appendLine(file.path, Buffer.concat(encoder.encode({ type: "note", key: "name", value: name })));
        return toTended(file);
      }),
    remove: (id) =>
      hold(id, async (file) => {
        await removeThread(file.path, null);
        return toTended(file);
      }),
    removeUnused: (id, usedAt) =>
      hold(id, async (file) => {
        if ((await stat(file.path)).mtimeMs > usedAt) return false;
        await removeThread(file.path, findCollected(id)?.beside ?? null);
        collected.delete(id);
        return true;
      }),
    find: async (id) => toTended(await findFile(folder, id)),
    repair: (id) =>
      hold(id, async (file) => {
        const createdAt = parseRolloutName(basename(file.path))?.begunAt ?? 0;
        return { ...toTended(file), ...(await mendFile({ ...file, createdAt, clock })) };
      }),
    async *export(id) {
      const { path } = await findFile(folder, id);
      await using file = await openPlainFile(path, "read");
      yield* readBytes(file);
    },
    async import(bytes) {
      const imported = await readImport(bytes);
      const { threadId } = imported;
      const found = await folder.find(threadId).catch(() => null); // several begin so, and none of them is it
      if (found?.threadId === threadId) throw toExistsError(threadId, found.path);
      const path = folder.pathOf(threadId, readIdTime(threadId) ?? imported.createdAt);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await using _ = await lockThread({ path, threadId, pid });
      if (existsSync(path)) throw toExistsError(threadId, path);
      await writeDraft(await openDraftFile(path, openAppendFile), imported.bytes);
      return { threadId, place: path };
    },
    collect: (query) => collectThreads(folder, query, collected),
    async listOpen() {
      const open: OpenThread[] = [];
      for (const { path, threadId } of await folder.listLocked())
        if (await isThreadHeld(path)) open.push({ threadId, pid: await readHolder(path) });
      return open;
    },
    sweep: () => sweepUnmade(folder, { pid, now: clock.now() }),
    check: () => checkPlace(folder, { pid, needsLocks }),
  };
}

async function move({ path, threadId }: RolloutFile, place: string): Promise<TendedThread> {
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  const { aside } = await createBesideReader()(path);
  await rename(path, place);
  for (const file of aside) await rename(file, join(dirname(place), basename(file)));
  return { threadId, place };
}

function toTended({ threadId, path }: RolloutFile): TendedThread {
  return { threadId, place: path };
}
