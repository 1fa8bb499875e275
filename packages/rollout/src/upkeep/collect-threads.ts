import { readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { CollectedThread, CollectQuery } from "@unroll/protocol";
import type { RolloutFolder } from "../file/rollout-folder.ts";
import { draftMark } from "../file/draft-file.ts";
import { isThreadHeld, tryToLockThread } from "../file/thread-lock.ts";
import { asideMark } from "./mend-file.ts";
import { readSummary } from "../load/read-summary.ts";

/** A file of a thread that may be removed. */
export interface CollectedFile extends CollectedThread {
  readonly path: string;
  readonly size: number;
}

/** The one that was used least lately comes first. None that a process has open. */
export async function* collectThreads(folder: RolloutFolder, query: CollectQuery): AsyncGenerator<CollectedFile, void> {
  const archived = query.archived ? await folder.list("archived") : [];
  const files = [...(await folder.list("kept")), ...archived].toSorted((a, b) => a.usedAt - b.usedAt);
  for (const file of files) {
    if (file.usedAt >= query.usedBefore) return;
    if (!(await isThreadHeld(file.path))) yield { ...file, summary: await readSummary(file).catch(() => null) };
  }
}

/**
 * Also removes old files from repairs, and the drafts of a repair that crashed; the locks belong to their holder. The
 * caller must hold the thread.
 */
export async function removeThread(path: string): Promise<void> {
  const beside = [...(await listAside(path)), ...(await listDrafts(path))];
  for (const file of [path, ...beside]) await rm(file, { recursive: true, force: true });
}

/**
 * Files of a thread that is being created are younger, in ms. While the sweep holds a thread, its owner could not
 * create it.
 */
const youngestLeft = 60_000;

/** As of `ThreadUpkeep.sweep`; nothing that is not a minute old. */
export async function sweepUnmade(folder: RolloutFolder, { pid, now }: Sweeper): Promise<number> {
  let count = 0;
  for (const { path, threadId } of await folder.listUnmade()) {
    if ((await findLastChange(path)) > now - youngestLeft) continue;
    await using lock = await tryToLockThread({ path, threadId, pid });
    if (lock === null || lock.warning !== null) continue; // it is open, or nobody can tell
    if (folder.statIfAny({ path, threadId }) !== null) continue; // its creation succeeded meanwhile
    await rm(`${path}${draftMark}`, { force: true });
    count += 1;
  }
  return count;
}

interface Sweeper {
  readonly pid: number;
  /** In ms since 1970. */
  readonly now: number;
}

/** The latest change of the files beside a thread's path, in ms since 1970. */
async function findLastChange(path: string): Promise<number> {
  const own = (await readdir(dirname(path))).filter((name) => name.startsWith(`${basename(path)}.`));
  const times = await Promise.all(
    own.map(async (name) => (await stat(join(dirname(path), name)).catch(() => null))?.mtimeMs ?? 0),
  );
  return Math.max(0, ...times);
}

/** Old files of a thread from repairs. */
export async function listAside(path: string): Promise<readonly string[]> {
  const names = await readdir(dirname(path));
  return names
    .filter((name) => name.startsWith(`${basename(path)}${asideMark}`))
    .map((name) => join(dirname(path), name));
}

/** The folders of `openDraftBeside` beside it: they hold what the file does. */
async function listDrafts(path: string): Promise<readonly string[]> {
  const names = await readdir(dirname(path));
  const isDraft = (name: string): boolean =>
    name.startsWith(`${basename(path)}.`) && /^\.[A-Za-z\d]{6}$/.test(name.slice(basename(path).length));
  return names.filter(isDraft).map((name) => join(dirname(path), name));
}
