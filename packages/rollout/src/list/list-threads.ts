import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { ThreadQuery, ThreadSummary } from "@unroll/protocol";
import { compareUse, type RolloutFolder, type UsedFile } from "../file/rollout-folder.ts";
import { isOfSubAgent, readCwd, readSummary } from "../load/read-summary.ts";
import { readUses } from "./use-log.ts";
import { openThreadIndex, type ThreadIndex } from "./thread-index.ts";

/** How many of the latest used threads are checked, and how many of the newest. */
const mostUsed = 16;
const mostNewest = 1000;
/** How many files are looked into in one go. */
const lookCount = 256;

/** The latest used first. */
export async function* listThreads(folder: RolloutFolder, query: ThreadQuery): AsyncGenerator<ThreadSummary, void> {
  const { cwd, archived = false } = query;
  const files = await folder.list(archived ? "archived" : "kept");
  for await (const { file, summary } of summarize(folder, files, cwd))
    if (summary !== null) yield { ...summary, path: file.path }; // not in the index: archiving changes it
}

/** A thread's file with its summary. */
interface SummarizedFile {
  readonly file: UsedFile;
  /** Null: it is not a thread, or cannot be read. */
  readonly summary: ThreadSummary | null;
}

/** The files in their order, with their summaries from the index, which gets those that it lacks. `cwd`: only those of this folder. */
export async function* summarize(
  folder: RolloutFolder,
  files: Iterable<UsedFile> | AsyncIterable<UsedFile>,
  cwd?: string,
): AsyncGenerator<SummarizedFile, void> {
  const index = await openIndex(folder);
  let count = 0;
  try {
    for await (const file of files) {
      if ((count += 1) % lookCount === 0) await setImmediate();
      if (cwd === undefined || findCwd(file, index) === cwd) yield { file, summary: await findSummary(file, index) };
    }
  } finally {
    await index.save();
  }
}

/**
 * Finds the latest thread, which no sub-agent wrote. Our programs record each use; for threads of other programs, the newest threads are checked.
 * If none fits, all are checked.
 */
export async function findLastThread(folder: RolloutFolder, { cwd }: ThreadQuery): Promise<string | null> {
  const used = (await readUses(folder)).filter((use) => cwd === undefined || use.cwd === cwd).slice(0, mostUsed);
  const noted = used.flatMap(({ file, threadId }) => {
    const found = folder.statIfAny({ path: join(folder.root, file), threadId });
    return found === null ? [] : [found];
  });
  if (noted.length === 0) return findAmongAll(folder, cwd);
  const candidates = [...noted, ...(await folder.listNewest(mostNewest))].toSorted(compareUse);
  for (const [index, { path, threadId }] of candidates.entries()) {
    if (index % lookCount === lookCount - 1) await setImmediate();
    if ((cwd === undefined || tryToReadCwd(path) === cwd) && isFound(path)) return threadId;
  }
  return findAmongAll(folder, cwd); // the one that was noted has gone meanwhile
}

async function findAmongAll(folder: RolloutFolder, cwd: string | undefined): Promise<string | null> {
  const files = await folder.list("kept");
  if (cwd === undefined) return files.find(({ path }) => isFound(path))?.threadId ?? null;
  const index = await openIndex(folder);
  try {
    for (const [count, file] of files.entries()) {
      if (count % lookCount === lookCount - 1) await setImmediate();
      if (findCwd(file, index) === cwd && isFound(file.path)) return file.threadId;
    }
    return null;
  } finally {
    await index.save();
  }
}

function openIndex({ root }: RolloutFolder): Promise<ThreadIndex> {
  return openThreadIndex(join(root, ".unroll-index"));
}

function findCwd({ path, threadId }: UsedFile, index: ThreadIndex): string | null {
  const known = index.find(threadId)?.cwd ?? null;
  if (known !== null) return known;
  const cwd = tryToReadCwd(path); // a file that said none may have been broken, or begun in that moment
  if (cwd !== null) index.put({ threadId, cwd, read: null });
  return cwd;
}

async function findSummary(file: UsedFile, index: ThreadIndex): Promise<ThreadSummary | null> {
  const { threadId, size, usedAt } = file;
  const found = index.find(threadId)?.read ?? null;
  if (found !== null && found.size === size && found.usedAt === usedAt) return found.summary;
  const summary = await readSummary(file).catch(() => null); // it was removed meanwhile, or is not ours to read
  index.put({ threadId, cwd: summary?.cwd ?? null, read: { size, usedAt, summary } });
  return summary;
}

function isFound(path: string): boolean {
  try {
    return !isOfSubAgent(path);
  } catch {
    return false; // it was removed meanwhile, or is not ours to read
  }
}

function tryToReadCwd(path: string): string | null {
  try {
    return readCwd(path);
  } catch {
    return null; // it was removed meanwhile, or is not ours to read
  }
}
