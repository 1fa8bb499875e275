import { closeSync, fstatSync, futimesSync, openSync, unlinkSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readTextIfAny } from "../files/path-facts.ts";
import type { FolderWatch } from "./folder-watch.ts";
import { lookAtFolder, type KnownFolder } from "./known-folder.ts";
import type { SearchResult } from "./search-result.ts";
import { createWatchedFolders, type WatchedFolders, type WatchedTree } from "./watched-folders.ts";

/** Knows all folders of a tree and asks the file system only for what has changed. */
export interface FolderTracker {
  readonly search: () => Promise<SearchResult>;
  readonly close: () => void;
}

export interface FolderTrackerOptions {
  /** Made, and loses its name at once: its time stamps say what time the file system has. */
  readonly clockFile: string;
  /** Null where there is none: then every search takes a look at every folder. */
  readonly openWatch: (() => FolderWatch) | null;
  /** From so many folders on they are watched; 1,000 unless given. */
  readonly watchedFrom?: number;
}

/** Beyond this many folders, counted from the roots down, a tree is not searched: the time would be felt. */
const mostFolders = 50_000;
/** Two changes within the clock's tick leave one time stamp: so long must a list be unchanged to be relied on. */
const settledAfterMs = 50;
/** How many folders are looked at before others get their turn. */
const batch = 2_000;
/** A look at fewer costs less than the watch does. */
const fewestWatched = 1_000;
/** To watch a folder costs as much as so many looks at it. */
const looksBeforeWatch = 4;
/** Programs of the user, editors above all, share one number of watches: what is left for them of it. */
const shareOfWatches = 1 / 4;

type Watching =
  | { readonly type: "not_yet"; readonly lookedAt: number }
  | { readonly type: "beginning" }
  /** These are watched, and the next search looks at all of them once more. */
  | ({ readonly type: "begun"; readonly watch: FolderWatch } & Omit<WatchedTree, "seen">)
  | { readonly type: "on"; readonly folders: WatchedFolders }
  | { readonly type: "never" };

export function createFolderTracker(roots: readonly string[], options: FolderTrackerOptions): FolderTracker {
  const clock = openSync(options.clockFile, "wx+", 0o600);
  unlinkSync(options.clockFile);
  const { openWatch, watchedFrom = fewestWatched } = options;
  let before: ReadonlyMap<string, KnownFolder> = new Map();
  let settledBefore = 0;
  let watching: Watching = openWatch === null ? { type: "never" } : notYet;
  let watch: FolderWatch | null = null;

  async function search(): Promise<SearchResult> {
    if (watching.type === "on") {
      const found = await watching.folders.search();
      if (typeof found !== "string") return found;
      if (found === "unfit") giveUp();
      else watching = notYet;
    }
    const begun = watching;
    const found = await searchAll();
    if (watching.type === "not_yet") considerWatch(found.count, watching.lookedAt + found.count);
    // Not where it began while this search was at it.
    if (begun.type === "begun" && watching === begun) {
      watching = { type: "on", folders: createWatchedFolders({ ...begun, seen: before }, begun.watch) };
    }
    return found;
  }

  async function searchAll(): Promise<SearchResult> {
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
      const folder = lookAtFolder(path, last !== null && isSettled(last) ? last : null);
      if (folder === null || seen.has(path)) continue;
      seen.set(path, folder);
      isCalm &&= folder.changedAt === last?.changedAt;
      if (folder.isCandidate) candidates.push(path);
      for (const inner of folder.folders) queue.push(inner);
    }
    isCalm &&= seen.size === before.size;
    before = seen;
    settledBefore = nextSettled;
    return { candidates, count: seen.size, isCalm };
  }

  function considerWatch(count: number, lookedAt: number): void {
    const isWorthIt = count >= watchedFrom && lookedAt > looksBeforeWatch * count;
    if (!isWorthIt) watching = { type: "not_yet", lookedAt };
    else if (count > countWatchable()) giveUp();
    else {
      watching = { type: "beginning" };
      void beginWatch([...before.keys()]);
    }
  }

  /** Beside whatever runs. */
  async function beginWatch(paths: readonly string[]): Promise<void> {
    watch ??= openWatch?.() ?? null;
    const report = await watch?.report(paths);
    if (watch === null || report === undefined || watching.type !== "beginning") return;
    if (report.type === "overflow") watching = notYet;
    // What could be listed and cannot be watched was opened to be listed.
    else if (report.type === "failed" || report.closed.length > 0) giveUp();
    else {
      const { changes } = report;
      watching = { type: "begun", watch, roots, watched: new Set(paths), changes, mostFolders: countWatchable() };
    }
  }

  function giveUp(): void {
    watching = { type: "never" };
    watch?.close();
    watch = null;
  }

  return {
    search,
    close() {
      giveUp();
      closeSync(clock);
    },
  };
}

const notYet: Watching = { type: "not_yet", lookedAt: 0 };

function countWatchable(): number {
  const watches = Number(readTextIfAny("/proc/sys/fs/inotify/max_user_watches") ?? 0);
  return Math.min(mostFolders, watches * shareOfWatches);
}
