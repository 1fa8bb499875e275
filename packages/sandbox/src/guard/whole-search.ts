import { closeSync, fstatSync, futimesSync, openSync, unlinkSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isSame, lookAtFolder, type KnownFolder } from "./known-folder.ts";
import type { OpenedFolders } from "./opened-folders.ts";
import type { SearchResult } from "./search-result.ts";

/** Looks at every folder of a tree, and lists those whose names have changed since the last look. */
export interface WholeSearch {
  readonly search: () => Promise<SearchResult>;
  /** The folders that the last search saw. */
  readonly seen: () => ReadonlyMap<string, KnownFolder>;
  readonly close: () => void;
}

/** A tree with more folders, counted from the roots down, is not searched: you would notice the time. */
export const mostSearched = 50_000;
/**
 * In ms: how long a list must be unchanged before it is trusted. Two changes within one clock tick
 * leave the same time stamp.
 */
const settledAfterMs = 50;
/** How many folders are looked at before other work gets its turn. */
const batch = 2_000;

export interface WholeSearchOptions {
  readonly clockFile: string;
  readonly mostFolders: number;
  readonly opened: OpenedFolders;
}

/** `clockFile` is created and unlinked at once: its time stamps give the file system's time. */
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
