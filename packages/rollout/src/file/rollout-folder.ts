import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { ThreadStoreError } from "../thread-store-error.ts";

/**
 * Where the threads of a Codex home are: `sessions/YYYY/MM/DD/rollout-<local time>-<thread id>.jsonl`, and the archived ones
 * in `archived_sessions`.
 */
export interface RolloutFolder {
  readonly root: string;
  readonly archive: string;
  /** Where a thread that is begun now is to be written; the folder need not be there yet. */
  pathOf(threadId: string, now: number): string;
  /** Where the file of an archived thread was, by its name. */
  pathOfName(name: string): string;
  /** When the thread of a file was begun, by its name, in ms since 1970. */
  beginningOf(name: string): number;
  /**
   * The thread of this id, or of the one id that begins so, the archived ones too. Null: there is none. Throws
   * `ThreadStoreError` `thread_ambiguous` where there are several. Looks first where the id says that it was begun.
   */
  find(idOrStart: string): Promise<RolloutFile | null>;
  /** Of those that are not archived at most so many, those that were begun last. */
  listNewest(count: number): Promise<readonly UsedFile[]>;
  /** A thread that is not archived as it is now; null: it is not there. */
  lookAt(file: Omit<RolloutFile, "isArchived">): UsedFile | null;
  /** The one used last first. Looks at each file's entry, and into none. */
  list(which: "kept" | "archived"): Promise<readonly UsedFile[]>;
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
}

const dayMs = 24 * 60 * 60 * 1000;
const fileName = /^rollout-(\d{4})-(\d\d)-(\d\d)T\d\d-\d\d-\d\d-(.+)\.jsonl$/;
/** How many files are looked at in one go. */
const lookCount = 256;
const mostCandidates = 10;

export function createRolloutFolder(codexHome: string): RolloutFolder {
  const [root, archive] = [join(codexHome, "sessions"), join(codexHome, "archived_sessions")];

  async function* listKept(): AsyncGenerator<readonly RolloutFile[], void> {
    for (const year of await readNames(root))
      for (const month of await readNames(join(root, year)))
        for (const day of await readNames(join(root, year, month))) yield listFiles(join(root, year, month, day));
  }

  async function listFiles(folder: string): Promise<readonly RolloutFile[]> {
    const isArchived = folder === archive;
    return (await readNames(folder)).flatMap((name) => {
      const threadId = toThreadId(name);
      return threadId === null ? [] : [{ path: join(folder, name), threadId, isArchived }];
    });
  }

  async function findByDay(threadId: string): Promise<RolloutFile | null> {
    const begun = toBeginning(threadId);
    if (begun === null) return null;
    for (const time of [begun, begun + dayMs, begun - dayMs]) {
      const files = await listFiles(join(root, ...toLocalTime(time)[0].split("-")));
      const found = files.find((file) => file.threadId === threadId);
      if (found !== undefined) return found;
    }
    return null;
  }

  async function listAll(): Promise<readonly RolloutFile[]> {
    const files = [...(await listFiles(archive))];
    for await (const some of listKept()) files.push(...some);
    return files;
  }

  return {
    root,
    archive,
    pathOf(threadId, now) {
      const [date, time] = toLocalTime(now);
      return join(root, ...date.split("-"), `rollout-${date}T${time}-${threadId}.jsonl`);
    },
    pathOfName(name) {
      const [, ...date] = fileName.exec(name) ?? [];
      return join(root, ...date.slice(0, -1), name);
    },
    beginningOf(name) {
      const [, time = "", clock = ""] = /^rollout-([\d-]{10})T([\d-]{8})/.exec(name) ?? [];
      return Date.parse(`${time}T${clock.replaceAll("-", ":")}`) || 0; // a local time, as it was written
    },
    async find(idOrStart) {
      const dated = await findByDay(idOrStart);
      if (dated !== null) return dated;
      const all = await listAll();
      const exact = all.find(({ threadId }) => threadId === idOrStart);
      if (exact !== undefined) return exact;
      const started = idOrStart === "" ? [] : all.filter(({ threadId }) => threadId.startsWith(idOrStart));
      if (started.length > 1) throw toAmbiguous(idOrStart, started);
      return started[0] ?? null;
    },
    async listNewest(count) {
      const files: RolloutFile[] = [];
      for await (const some of listKept()) {
        files.push(...some);
        if (files.length >= count) break;
      }
      return lookAtAll(files.slice(0, count));
    },
    lookAt: (file) => lookAt({ ...file, isArchived: false }),
    async list(which) {
      const files = which === "archived" ? await listFiles(archive) : [];
      const found = [...(await lookAtAll(files))];
      if (which === "kept") for await (const some of listKept()) found.push(...(await lookAtAll(some)));
      return found.toSorted(compareUse);
    },
  };
}

/** `id`: or the beginning of one. Throws `ThreadStoreError` where there is none, or are several. */
export async function findFile(folder: RolloutFolder, id: string): Promise<RolloutFile> {
  const found = await folder.find(id);
  if (found !== null) return found;
  throw new ThreadStoreError("thread_missing", `There is no thread ${id} in ${folder.root}.`);
}

/** By single calls that do not wait, some at a time: through the thread pool it takes ten times as long. */
async function lookAtAll(files: readonly RolloutFile[]): Promise<readonly UsedFile[]> {
  const found: UsedFile[] = [];
  for (const [index, file] of files.entries()) {
    if (index % lookCount === lookCount - 1) await setImmediate();
    const looked = lookAt(file);
    if (looked !== null) found.push(looked);
  }
  return found;
}

function lookAt(file: RolloutFile): UsedFile | null {
  const stats = statSync(file.path, { throwIfNoEntry: false });
  return stats?.isFile() ? { ...file, usedAt: stats.mtimeMs, size: stats.size } : null;
}

/** The one used last first; of two, the one begun last. */
export function compareUse(a: UsedFile, b: UsedFile): number {
  return b.usedAt - a.usedAt || (a.path < b.path ? 1 : -1);
}

function toAmbiguous(start: string, files: readonly RolloutFile[]): ThreadStoreError {
  const shown = files.slice(0, mostCandidates).map(({ threadId }) => `\n  ${threadId}`);
  const more = files.length > mostCandidates ? `\n  and ${files.length - mostCandidates} more` : "";
  const message = `${files.length} threads begin with ${start}: write more of the id.${shown.join("")}${more}`;
  return new ThreadStoreError("thread_ambiguous", message);
}

/** Sorted, the last first; empty for a folder that is not there. */
async function readNames(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.sort().reverse();
}

function toThreadId(name: string): string | null {
  return fileName.exec(name)?.[4] ?? null;
}

/** The ms since 1970 in a UUID of version 7 (RFC 9562); null for any other id. */
function toBeginning(threadId: string): number | null {
  const [, high = "", low = ""] = /^([\da-f]{8})-([\da-f]{4})-7/i.exec(threadId) ?? [];
  return high === "" ? null : Number.parseInt(high + low, 16);
}

function toLocalTime(ms: number): readonly [date: string, time: string] {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, "0");
  return [
    `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
    `${two(date.getHours())}-${two(date.getMinutes())}-${two(date.getSeconds())}`,
  ];
}
