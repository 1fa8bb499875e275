import { closeSync, fstatSync, futimesSync, openSync, unlinkSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isSame, lookAtFolder, type KnownFolder } from "./known-folder.ts";
import type { OpenedFolders } from "./opened-folders.ts";
import type { SearchResult } from "./search-result.ts";

/** Looks at every folder of a tree, and lists those whose names have changed since it last did. */
export interface WholeSearch {
  readonly search: () => Promise<SearchResult>;
  /** What the last search saw. */
  readonly seen: () => ReadonlyMap<string, KnownFolder>;
  readonly close: () => void;
}

/** Beyond this many folders, counted from the roots down, a tree is not searched: the time would be felt. */
export const mostSearched = 50_000;
/** Two changes within the clock's tick leave one time stamp: so long must a list be unchanged to be relied on. */
const settledAfterMs = 50;
/** How many folders are looked at before others get their turn. */
const batch = 2_000;

export interface WholeSearchOptions {
  readonly clockFile: string;
  readonly mostFolders: number;
  readonly opened: OpenedFolders;
}

/** `clockFile` is made and loses its name at once: its time stamps say what time the file system has. */
export function createWholeSearch(
  roots: readonly string[],
  { clockFile, mostFolders, opened }: WholeSearchOptions,
): WholeSearch {
  const clock = openSync(clockFile, "wx+", 0o600);
  unlinkSync(clockFile);
  let before: ReadonlyMap<string, KnownFolder> = new Map();
  let settledBefore = 0;

  async function search(): Promise<SearchResult> {
    const isSettled = ({ changedAt }: KnownFolder): boolean => changedAt < settledBefore;
    futimesSync(clock, 0, 0);
    const nextSettled = fstatSync(clock).ctimeMs - settledAfterMs;
    const seen = new Map<string, KnownFolder>();
    const candidates: string[] = [];
    let isCalm = true;
    const queue = [...roots];
    for (let index = 0; index < queue.length && index < mostFolders; index += 1) {
      if (index % batch === batch - 1) await nextTurn();
      const path = queue[index] ?? "";
      const last = before.get(path) ?? null;
      const folder = lookAtFolder(path, last !== null && isSettled(last) ? last : null, opened);
      if (folder === null || seen.has(path)) continue;
      seen.set(path, folder);
      isCalm &&= isSame(folder, last);
      if (folder.isCandidate) candidates.push(path);
      for (const inner of folder.folders) queue.push(inner);
    }
    isCalm &&= seen.size === before.size;
    before = seen;
    settledBefore = nextSettled;
    return { candidates, count: seen.size, isCalm, isWhole: queue.length <= mostFolders };
  }

  return { search, seen: () => before, close: () => closeSync(clock) };
}
