import { readTextIfAny } from "@unroll/files";
import type { FolderWatch } from "./folder-watch.ts";
import { createOpenedFolders } from "./opened-folders.ts";
import type { SearchResult } from "./search-result.ts";
import { createWatchedFolders, type WatchedFolders, type WatchedTree } from "./watched-folders.ts";
import { createWholeSearch, mostSearched } from "./whole-search.ts";

/** Knows all folders of a tree and asks the file system only for changes. */
export interface FolderTracker {
  /** Folders that this user has closed to themselves stay open while the caller looks at the candidates. */
  readonly search: () => Promise<SearchResult>;
  /** Closes those folders again. */
  readonly closeAgain: () => void;
  readonly close: () => void;
}

export interface FolderTrackerOptions {
  /** See `createWholeSearch`. */
  readonly clockFile: string;
  /** Null: there is no watch, and every search looks at every folder. */
  readonly openWatch: (() => FolderWatch) | null;
  /** The number of folders from which they are watched; default 1,000. */
  readonly watchedFrom?: number;
  /** With more folders than this, none is searched; default 50,000. */
  readonly mostFolders?: number;
}

/** With fewer folders, looking is cheaper than the watch. */
const fewestWatched = 1_000;
/** Watching a folder costs as much as this many looks at it. */
const looksBeforeWatch = 4;
/**
 * The share of the remaining watches that we use: other programs of the user, such as editors, draw
 * on the same number.
 */
const shareOfWatches = 1 / 4;

type Watching =
  | { readonly type: "not_yet"; readonly lookedAt: number }
  | { readonly type: "beginning" }
  /** These are watched; the next search looks at all of them once more. */
  | ({ readonly type: "begun"; readonly watch: FolderWatch } & Omit<WatchedTree, "seen" | "opened">)
  | { readonly type: "on"; readonly folders: WatchedFolders }
  | { readonly type: "never" };

export function createFolderTracker(roots: readonly string[], options: FolderTrackerOptions): FolderTracker {
  const { clockFile, openWatch, watchedFrom = fewestWatched, mostFolders = mostSearched } = options;
  const opened = createOpenedFolders(roots);
  const whole = createWholeSearch(roots, { clockFile, mostFolders, opened });
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
    const found = await whole.search();
    if (watching.type === "not_yet") considerWatch(found.count, watching.lookedAt + found.count);
    // Not if the watch began during this search.
    if (begun.type === "begun" && watching === begun) {
      watching = { type: "on", folders: createWatchedFolders({ ...begun, seen: whole.seen(), opened }, begun.watch) };
    }
    return found;
  }

  function considerWatch(count: number, lookedAt: number): void {
    const isWorthIt = count >= watchedFrom && lookedAt > looksBeforeWatch * count;
    if (!isWorthIt) watching = { type: "not_yet", lookedAt };
    else if (count > countWatchable(mostFolders)) giveUp();
    else {
      watching = { type: "beginning" };
      beginWatch([...whole.seen().keys()]).catch(giveUp);
    }
  }

  /** Runs in the background. */
  async function beginWatch(paths: readonly string[]): Promise<void> {
    watch ??= openWatch?.() ?? null;
    const report = await watch?.report(paths);
    if (watch === null || report === undefined || watching.type !== "beginning") return;
    if (report.type === "overflow") watching = notYet;
    // A folder that can be listed but not watched was opened only for listing.
    else if (report.type === "failed" || report.closed.length > 0) giveUp();
    else {
      const { changes } = report;
      watching = {
        type: "begun",
        watch,
        roots,
        watched: new Set(paths),
        changes,
        mostFolders: countWatchable(mostFolders),
      };
    }
  }

  function giveUp(): void {
    watching = { type: "never" };
    watch?.close();
    watch = null;
  }

  return {
    search,
    closeAgain: opened.closeAgain,
    close() {
      opened.closeAgain();
      giveUp();
      whole.close();
    },
  };
}

const notYet: Watching = { type: "not_yet", lookedAt: 0 };

function countWatchable(mostFolders: number): number {
  const watches = Number(readTextIfAny("/proc/sys/fs/inotify/max_user_watches") ?? 0);
  return Math.min(mostFolders, watches * shareOfWatches);
}
