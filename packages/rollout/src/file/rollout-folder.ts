import { existsSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { ThreadStoreError } from "../thread-store-error.ts";
import { parseRolloutName, readIdTime, toDay, toRolloutPlace } from "./rollout-name.ts";

/**
 * Where the threads of a Codex home are: `sessions/YYYY/MM/DD/rollout-<local time>-<thread id>.jsonl`, and the archived ones
 * in `archived_sessions`.
 */
export interface RolloutFolder {
  readonly root: string;
  readonly archive: string;
  /**
   * The path for the file of a new thread; the folder need not exist yet. It has the time of the id, by which `find` looks:
   * between the id and the file, a work tree may be made. An id of another day gets `now`.
   */
  pathOf(threadId: string, now: number): string;
  /** Where the file of a thread belongs that is not archived. */
  placeOf(file: RolloutFile): string;
  /**
   * The thread with this id, or with the only id that begins with it; archived threads count. Null: there is none.
   * Throws `ThreadStoreError` `thread_ambiguous` if there are several. Looks first in the folder of the date in the id.
   */
  find(idOrStart: string): Promise<RolloutFile | null>;
  /** The newest threads by creation that are not archived, at most `count`. */
  listNewest(count: number): Promise<readonly UsedFile[]>;
  /** A thread that is not archived as it is now; null: it is not there. */
  statIfAny(file: Omit<RolloutFile, "isArchived">): UsedFile | null;
  /** The latest used first. Reads the folder entries, not the files. */
  list(which: "kept" | "archived"): Promise<readonly UsedFile[]>;
  /**
   * Paths of threads whose own file does not exist, although files beside it do: the thread is being created, or its
   * creation was cut off.
   */
  listUnmade(): Promise<readonly RolloutFile[]>;
  /** Threads with a lock file beside them: a process has them open, or was killed while it had. */
  listLocked(): Promise<readonly RolloutFile[]>;
}

export interface RolloutFile {
  readonly path: string;
  readonly threadId: string;
  readonly isArchived: boolean;
}

export interface UsedFile extends RolloutFile {
  /** When it was written last, in ms since 1970. */
  readonly usedAt: number;
  /** In bytes. */
  readonly size: number;
  /** The file's inode number. */
  readonly ino: number;
}

const secondMs = 1000;
const dayMs = 24 * 60 * 60 * 1000;
/** How many files are looked at in one go. */
const lookCount = 256;
const mostCandidates = 10;

export function createRolloutFolder(codexHome: string): RolloutFolder {
  const [root, archive] = [join(codexHome, "sessions"), join(codexHome, "archived_sessions")];
  return {
    root,
    archive,
    pathOf(threadId, now) {
      const begun = readIdTime(threadId) ?? now;
      const isRecent = begun <= now && now - begun < dayMs;
      return join(root, ...toRolloutPlace(threadId, isRecent ? begun : now));
    },
    placeOf: ({ path }) => join(root, ...(parseRolloutName(basename(path))?.day ?? []), basename(path)),
    async find(idOrStart) {
      const found = await findNamed({ root, archive }, idOrStart);
      return found === null || statIfAny(found) === null ? null : found; // a folder may have such a name
    },
    async listNewest(count) {
      const files: RolloutFile[] = [];
      for await (const some of listDays(root)) {
        files.push(...some);
        if (files.length >= count) break;
      }
      return lookAtAll(files.slice(0, count));
    },
    statIfAny: (file) => statIfAny({ ...file, isArchived: false }),
    async list(which) {
      const found: UsedFile[] = [];
      if (which === "archived") found.push(...(await lookAtAll(await listFiles(archive, "archived"))));
      else for await (const some of listDays(root)) found.push(...(await lookAtAll(some)));
      return found.toSorted(compareUse);
    },
    async listUnmade() {
      const found: RolloutFile[] = [];
      for await (const day of listDayFolders(root)) found.push(...(await listUnmadeOf(day)));
      return found;
    },
    async listLocked() {
      const found = [...(await listLockedOf(archive, "archived"))];
      for await (const day of listDayFolders(root)) found.push(...(await listLockedOf(day, "kept")));
      return found;
    },
  };
}

/** `id`: or the beginning of one. Throws `ThreadStoreError` where there is none, or are several. */
export async function findFile(folder: RolloutFolder, id: string): Promise<RolloutFile> {
  const found = await folder.find(id);
  if (found !== null) return found;
  throw new ThreadStoreError("thread_missing", `There is no thread ${id} in ${folder.root}.`);
}

/** The latest used first; of two equal ones, the one created later. */
export function compareUse(a: UsedFile, b: UsedFile): number {
  return b.usedAt - a.usedAt || (a.path < b.path ? 1 : -1);
}

/** The newest day first. Folders are read as they are come to. */
async function* listDays(root: string): AsyncGenerator<readonly RolloutFile[], void> {
  for await (const day of listDayFolders(root)) yield listFiles(day, "kept");
}

async function* listDayFolders(root: string): AsyncGenerator<string, void> {
  for (const year of await readNames(root))
    for (const month of await readNames(join(root, year)))
      for (const day of await readNames(join(root, year, month))) yield join(root, year, month, day);
}

async function listUnmadeOf(folder: string): Promise<readonly RolloutFile[]> {
  const names = new Set(await readNames(folder));
  const threads = new Set([...names].flatMap((name) => /^(.+\.jsonl)\.(?:part|lock|holder)$/.exec(name)?.[1] ?? []));
  return [...threads].flatMap((name) => (names.has(name) ? [] : toFile(join(folder, name), "kept")));
}

async function listLockedOf(folder: string, which: "kept" | "archived"): Promise<readonly RolloutFile[]> {
  const names = new Set(await readNames(folder));
  const locked = [...names].flatMap((name) => /^(.+\.jsonl)\.lock$/.exec(name)?.[1] ?? []);
  return locked.flatMap((name) => (names.has(name) ? toFile(join(folder, name), which) : []));
}

async function listFiles(folder: string, which: "kept" | "archived"): Promise<readonly RolloutFile[]> {
  return (await readNames(folder)).flatMap((name) => toFile(join(folder, name), which));
}

/** Empty if the name is not that of a thread's file. */
function toFile(path: string, which: "kept" | "archived"): readonly RolloutFile[] {
  const parsed = parseRolloutName(basename(path));
  return parsed === null ? [] : [{ path, threadId: parsed.threadId, isArchived: which === "archived" }];
}

async function findNamed(
  { root, archive }: Pick<RolloutFolder, "root" | "archive">,
  idOrStart: string,
): Promise<RolloutFile | null> {
  const dated = await findByDay(root, idOrStart);
  if (dated !== null) return dated;
  const all = [...(await listFiles(archive, "archived"))];
  for await (const some of listDays(root)) all.push(...some);
  return all.find(({ threadId }) => threadId === idOrStart) ?? findByStart(all, idOrStart);
}

async function findByDay(root: string, threadId: string): Promise<RolloutFile | null> {
  const begun = readIdTime(threadId);
  if (begun === null) return null;
  const named = [begun, begun + secondMs].map((time) => join(root, ...toRolloutPlace(threadId, time)));
  const path = named.find((each) => existsSync(each)); // as our programs and the Codex CLI name it: no folder is read
  if (path !== undefined) return { path, threadId, isArchived: false };
  for (const time of [begun, begun + dayMs, begun - dayMs]) {
    const files = await listFiles(join(root, ...toDay(time)), "kept");
    const found = files.find((file) => file.threadId === threadId);
    if (found !== undefined) return found;
  }
  return null;
}

function findByStart(all: readonly RolloutFile[], start: string): RolloutFile | null {
  const [first = null, ...others] = start === "" ? [] : all.filter(({ threadId }) => threadId.startsWith(start));
  if (first === null || others.length === 0) return first;
  const count = others.length + 1;
  const shown = [first, ...others].slice(0, mostCandidates).map(({ threadId }) => `\n  ${threadId}`);
  const more = count > mostCandidates ? `\n  and ${count - mostCandidates} more` : "";
  const message = `${count} threads begin with ${start}: write more of the id.${shown.join("")}${more}`;
  throw new ThreadStoreError("thread_ambiguous", message);
}

/** By single calls that do not wait, some at a time: through the thread pool it takes ten times as long. */
async function lookAtAll(files: readonly RolloutFile[]): Promise<readonly UsedFile[]> {
  const found: UsedFile[] = [];
  for (const [index, file] of files.entries()) {
    if (index % lookCount === lookCount - 1) await setImmediate();
    const looked = statIfAny(file);
    if (looked !== null) found.push(looked);
  }
  return found;
}

function statIfAny(file: RolloutFile): UsedFile | null {
  const stats = statSync(file.path, { throwIfNoEntry: false });
  return stats?.isFile() ? { ...file, usedAt: stats.mtimeMs, size: stats.size, ino: stats.ino } : null;
}

/** Sorted, the last first; empty for a folder that is not there. */
async function readNames(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.sort().reverse();
}
