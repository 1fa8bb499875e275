import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { asideMark } from "./mend-file.ts";

/** Files beside a thread's own. */
export interface FilesBeside {
  /** Whether there is a lock file: a process has the thread open, or was killed while it had. */
  readonly isLocked: boolean;
  /** Paths of the old files of repairs. */
  readonly aside: readonly string[];
  /** Paths of the folders of `openDraftBeside` that a crash left. */
  readonly drafts: readonly string[];
}

const nothing: FilesBeside = { isLocked: false, aside: [], drafts: [] };
const namePattern = /^(.+\.jsonl)(\..+)$/;

/** Finds the files beside threads, and reads each folder once: what changes in it later is not seen. */
export function createBesideReader(): (path: string) => Promise<FilesBeside> {
  const folders = new Map<string, Promise<ReadonlyMap<string, FilesBeside>>>();
  return async (path) => {
    const folder = dirname(path);
    const read = folders.get(folder) ?? readFolder(folder);
    folders.set(folder, read);
    return (await read).get(basename(path)) ?? nothing;
  };
}

async function readFolder(folder: string): Promise<ReadonlyMap<string, FilesBeside>> {
  const found = new Map<string, FilesBeside>();
  for (const name of await readdir(folder)) {
    const [, thread, rest = ""] = namePattern.exec(name) ?? [];
    if (thread === undefined) continue;
    const { isLocked, aside, drafts } = found.get(thread) ?? nothing;
    const path = join(folder, name);
    found.set(thread, {
      isLocked: isLocked || rest === ".lock",
      aside: rest.startsWith(asideMark) ? [...aside, path] : aside,
      drafts: /^\.[A-Za-z\d]{6}$/.test(rest) ? [...drafts, path] : drafts,
    });
  }
  return found;
}
