import { readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { CollectedThread, CollectQuery } from "@unroll/protocol";
import type { RolloutFile, RolloutFolder, UsedFile } from "../file/rollout-folder.ts";
import { draftMark } from "../file/draft-file.ts";
import { isThreadHeld, tryToLockThread } from "../file/thread-lock.ts";
import { summarize } from "../list/list-threads.ts";
import { createBesideReader } from "./files-beside.ts";

/** A collected thread as its folder had it: deleting it lists nothing again. */
export interface CollectedPlace extends RolloutFile {
  /** Paths of what is deleted with it. */
  readonly beside: readonly string[];
  /** The file's inode number: a later repair changes it, and leaves the old file beside it. */
  readonly ino: number;
}

/**
 * The one that was used least lately comes first. None that a process has open. Summaries come from the index where it
 * has them, and what it lacks is added to it. `places` gets the place of each, by its thread.
 */
export async function* collectThreads(
  folder: RolloutFolder,
  query: CollectQuery,
  places: Map<string, CollectedPlace>,
): AsyncGenerator<CollectedThread, void> {
  places.clear();
  const archived = query.archived ? await folder.list("archived") : [];
  const files = [...(await folder.list("kept")), ...archived].filter(({ usedAt }) => usedAt < query.usedBefore);
  for await (const { file, summary } of summarize(folder, skipOpen(files, places)))
    yield {
      threadId: file.threadId,
      size: file.size,
      usedAt: file.usedAt,
      isArchived: file.isArchived,
      place: file.path,
      summary,
    };
}

/** The one that was used least lately comes first. */
async function* skipOpen(
  files: readonly UsedFile[],
  places: Map<string, CollectedPlace>,
): AsyncGenerator<UsedFile, void> {
  const findBeside = createBesideReader();
  for (const file of files.toSorted((a, b) => a.usedAt - b.usedAt)) {
    const { isLocked, aside, drafts } = await findBeside(file.path);
    if (isLocked && (await isThreadHeld(file.path))) continue;
    places.set(file.threadId, { ...file, beside: [...aside, ...drafts] });
    yield file;
  }
}

/**
 * Also removes old files from repairs, and the drafts of a repair that crashed; the locks belong to their holder. The
 * caller must hold the thread. `known`: those files; null: its folder is listed.
 */
export async function removeThread(path: string, known: readonly string[] | null): Promise<void> {
  for (const file of [path, ...(known ?? (await listBeside(path)))]) await rm(file, { recursive: true, force: true });
}

async function listBeside(path: string): Promise<readonly string[]> {
  const { aside, drafts } = await createBesideReader()(path);
  return [...aside, ...drafts];
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
