import { closeSync, fstatSync, futimesSync, openSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { kindOf, readTextIfAny } from "@unroll/files";
import { createFolderTree } from "./folder-tree.ts";
import type { FolderChange, FolderWatch } from "./folder-watch.ts";
import { isSame, lookAtFolder, type KnownFolder } from "./known-folder.ts";
import { createOpenedFolders } from "./opened-folders.ts";
import type { SearchResult } from "./search-result.ts";
import { createTreeWatch, isToldOf, type TreeWatch } from "./tree-watch.ts";

/**
 * Knows all folders of a tree. The first search looks at each folder and watches it from then on; later
 * ones look at those that were reported, and at those that cannot be watched.
 */
export interface FolderTracker {
  /** Folders that this user has closed to themselves stay open while the caller looks at the candidates. */
  readonly search: () => Promise<SearchResult>;
  /** Closes those folders again. */
  readonly closeAgain: () => void;
  readonly close: () => void;
}

export interface FolderTrackerOptions {
  /** Created and unlinked at once: its time stamps give the file system's time. */
  readonly clockFile: string;
  /** Null: there is no watch, and every search looks at every folder. */
  readonly openWatch: (() => FolderWatch) | null;
  /** The number of folders from which they are watched; default 1,000. */
  readonly watchedFrom?: number;
  /** Folders beyond this number, counted from the roots down, are not searched; default 50,000. */
  readonly mostFolders?: number;
  /** How many folders may be watched. Default: a third of the user's watches. */
  readonly mostWatched?: number;
}

/** With fewer folders, looking at all of them is cheaper than the process that watches. */
const fewestWatched = 1_000;
/** You would notice the time for more. */
const mostSearched = 50_000;
/**
 * A larger tree is known a little further than it is searched, so that a few folders can come and go
 * before the folders have to be counted again.
 */
const reserve = 1 / 25;
/**
 * The share of the user's watches that we use: other programs of the user, such as editors, draw on
 * the same number.
 */
const shareOfWatches = 1 / 3;
/** In ms: two changes within one clock tick of the file system leave the same time stamp. */
const settledAfterMs = 50;
/** How many folders are looked at before other work gets its turn. */
const batch = 500;

// oxlint-disable-next-line eslint/max-lines-per-function -- one state, of which each step is a short function
export function createFolderTracker(roots: readonly string[], options: FolderTrackerOptions): FolderTracker {
  const { openWatch, watchedFrom = fewestWatched, mostFolders = mostSearched } = options;
  const mostKnown = Math.ceil(mostFolders * (1 + reserve));
  const opened = createOpenedFolders(roots);
  const clock = openClock(options.clockFile);
  const tree = createFolderTree();
  let canWatch = openWatch !== null && roots.every(isToldOf);
  let watch: TreeWatch | null = null;
  /** Only while there is a watch: the folders that it does not cover. */
  const unwatched = new Set<string>();
  let unheard: FolderChange[] = [];
  let settledBefore = 0;
  let count = 0;
  let isCalm = true;
  /** There are folders that are not known; then, how many have come and gone since they were counted. */
  let isBeyond = false;
  let changed = 0;
  let isClosed = false;

  async function search(): Promise<SearchResult> {
    count = 0;
    isCalm = true;
    settledBefore = clock.read() - settledAfterMs;
    if (watch === null || !(await lookAtChanges())) await lookAtAll();
    const isWhole = !isBeyond && tree.known.size <= mostFolders;
    return { candidates: [...tree.candidates], count, isCalm, isWhole };
  }

  /** False: all folders have to be looked at. */
  async function lookAtChanges(): Promise<boolean> {
    if (!(await hear([]))) return false;
    const changes = unheard;
    unheard = [];
    isCalm = changes.length === 0;
    const gone = new Set(changes.map(({ folder, name }) => (name === null ? folder : join(folder, name))));
    for (const path of gone) forget(tree.drop(path));
    const around = [...gone].map((path) => dirname(path)).filter((path) => tree.known.has(path));
    let next = [...new Set([...around, ...unwatched])].flatMap((path) => enter(path, gone));
    while (next.length > 0 && tree.known.size <= mostKnown) {
      // Later changes are for the next search: this one is not calm, so there will be one.
      if (!(await hear(next))) return false;
      next = [...new Set(next.flatMap((path) => enter(path, none)))];
    }
    const isToBeCounted = tree.known.size > mostKnown || (isBeyond && changed > mostKnown - mostFolders);
    return !isToBeCounted;
  }

  /** Looks at a folder that may have changed, and returns the folders that came into it or are in `gone`. */
  function enter(path: string, gone: ReadonlySet<string>): readonly string[] {
    // The folder around it was removed meanwhile; if it returns, it brings its content.
    if (!roots.includes(path) && !tree.known.has(dirname(path))) return [];
    const before = tree.known.get(path) ?? null;
    const now = look(path);
    const listed = new Set(now !== null && before !== null && isSamePlace(now, before) ? before.folders : []);
    return (now?.folders ?? []).filter((inner) => !tree.known.has(inner) && (!listed.has(inner) || gone.has(inner)));
  }

  async function lookAtAll(): Promise<void> {
    const seen = new Set<string>();
    let queue = [...roots];
    let at = 0;
    let turnAt = batch;
    while (at < queue.length && seen.size < mostKnown && !isClosed) {
      if (watch === null && canWatch && queue.length >= watchedFrom) {
        watch = startWatch();
        // A folder counts as watched only if it is looked at afterwards.
        [at, queue] = [0, [...roots]];
        seen.clear();
      }
      const paths = queue.slice(at, at + Math.min(batch, mostKnown - seen.size));
      at += paths.length;
      if (watch !== null) await hear(paths);
      for (const path of paths) {
        const folder = seen.has(path) ? null : look(path);
        if (folder === null) continue;
        seen.add(path);
        for (const inner of folder.folders) queue.push(inner);
      }
      if (watch === null && seen.size >= turnAt) {
        turnAt = seen.size + batch;
        await nextTurn();
      }
    }
    const gone = [...tree.known.keys()].filter((path) => !seen.has(path));
    isCalm &&= gone.length === 0;
    for (const path of gone) forget(tree.drop(path));
    isBeyond = at < queue.length;
    changed = 0;
  }

  function look(path: string): KnownFolder | null {
    count += 1;
    const before = tree.known.get(path) ?? null;
    const folder = lookAtFolder(path, before, { opened, settledBefore });
    isCalm &&= before === folder || (before !== null && isSame(before, folder));
    if (folder === null) {
      forget(tree.drop(path));
      // Git cannot look into another user's closed folder either, as long as it is closed.
      if (watch !== null && kindOf(path) === "folder") unwatched.add(path);
      return null;
    }
    if (folder !== before) keep(path, folder, before);
    if (watch?.covers(path, folder.device) === false) unwatched.add(path);
    else unwatched.delete(path);
    return folder;
  }

  function keep(path: string, folder: KnownFolder, before: KnownFolder | null): void {
    const isOther = before !== null && !isSamePlace(before, folder);
    const inner = new Set(folder.folders);
    forget(tree.dropInside(path, (each) => isOther || !inner.has(each)));
    tree.keep(path, folder);
    if (before === null) changed += 1;
  }

  function forget(paths: readonly string[]): void {
    changed += paths.length;
    for (const path of paths) unwatched.delete(path);
    watch?.forget(paths);
  }

  function startWatch(): TreeWatch | null {
    try {
      const opening = openWatch?.() ?? null;
      return opening && createTreeWatch(roots, opening, options.mostWatched ?? countWatchable());
    } catch {
      // No process can be started now: every search looks at every folder.
      canWatch = false;
      return null;
    }
  }

  /** False: there is no watch any more. */
  async function hear(more: readonly string[]): Promise<boolean> {
    const heard = (await watch?.hear(more)) ?? "lost";
    if (typeof heard === "object") {
      unheard.push(...heard);
      return true;
    }
    stopWatch();
    canWatch &&= heard === "lost";
    return false;
  }

  function stopWatch(): void {
    watch?.close();
    watch = null;
    unwatched.clear();
    unheard = [];
  }

  function close(): void {
    isClosed = true;
    canWatch = false;
    stopWatch();
    opened.closeAgain();
    clock.close();
  }

  return { search, closeAgain: opened.closeAgain, close };
}

function isSamePlace(a: KnownFolder, b: KnownFolder): boolean {
  return a.inode === b.inode && a.device === b.device;
}

const none: ReadonlySet<string> = new Set();

interface FileClock {
  readonly read: () => number;
  readonly close: () => void;
}

function openClock(path: string): FileClock {
  const file = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  return {
    read() {
      futimesSync(file, 0, 0);
      return fstatSync(file).ctimeMs;
    },
    close: () => closeSync(file),
  };
}

function countWatchable(): number {
  return Number(readTextIfAny("/proc/sys/fs/inotify/max_user_watches") ?? 0) * shareOfWatches;
}
