import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Where the threads of a Codex home are: `sessions/YYYY/MM/DD/rollout-<local time>-<thread id>.jsonl`. */
export interface RolloutFolder {
  readonly root: string;
  /** Where a thread that is begun now is to be written; the folder need not be there yet. */
  pathOf(threadId: string, now: number): { readonly folder: string; readonly path: string };
  /** Null: there is no thread of this id. Looks first where its id says that it was begun. */
  find(threadId: string): Promise<string | null>;
  /** The files, newest first. Folders are read as they are come to. */
  list(): AsyncGenerator<RolloutFile, void>;
}

export interface RolloutFile {
  readonly path: string;
  readonly threadId: string;
}

const dayMs = 24 * 60 * 60 * 1000;
const fileName = /^rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-(.+)\.jsonl$/;

export function createRolloutFolder(codexHome: string): RolloutFolder {
  const root = join(codexHome, "sessions");

  async function findIn(folder: string, threadId: string): Promise<string | null> {
    const found = (await readNames(folder)).find((name) => toThreadId(name) === threadId);
    return found === undefined ? null : join(folder, found);
  }

  async function* list(): AsyncGenerator<RolloutFile, void> {
    for (const year of await readNames(root))
      for (const month of await readNames(join(root, year)))
        for (const day of await readNames(join(root, year, month)))
          yield* await listFiles(join(root, year, month, day));
  }

  return {
    root,
    pathOf(threadId, now) {
      const [date, time] = toLocalTime(now);
      const folder = join(root, ...date.split("-"));
      return { folder, path: join(folder, `rollout-${date}T${time}-${threadId}.jsonl`) };
    },
    async find(threadId) {
      const begun = toBeginning(threadId);
      if (begun !== null) {
        for (const time of [begun, begun + dayMs, begun - dayMs]) {
          const found = await findIn(join(root, ...toLocalTime(time)[0].split("-")), threadId);
          if (found !== null) return found;
        }
      }
      for await (const file of list()) if (file.threadId === threadId) return file.path;
      return null;
    },
    list,
  };
}

async function listFiles(folder: string): Promise<readonly RolloutFile[]> {
  return (await readNames(folder)).flatMap((name) => {
    const threadId = toThreadId(name);
    return threadId === null ? [] : [{ path: join(folder, name), threadId }];
  });
}

/** Sorted, the last first; empty for a folder that is not there. */
async function readNames(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.toSorted((a, b) => (a < b ? 1 : -1));
}

function toThreadId(name: string): string | null {
  return fileName.exec(name)?.[1] ?? null;
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
