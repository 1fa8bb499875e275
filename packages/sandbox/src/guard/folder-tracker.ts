import { readTextIfAny } from "@unroll/files";
import type { FolderWatch } from "./folder-watch.ts";
import { createOpenedFolders } from "./opened-folders.ts";
import type { SearchResult } from "./search-result.ts";
import { createWatchedFolders, type WatchedFolders, type WatchedTree } from "./watched-folders.ts";
import { createWholeSearch, mostSearched } from "./whole-search.ts";

/** Knows all folders of a tree and asks the file system only for what has changed. */
export interface FolderTracker {
  /** Folders that this user has closed to himself stay open for whoever looks at the candidates. */
  readonly search: () => Promise<SearchResult>;
  /** Closes those folders again. */
  readonly closeAgain: () => void;
  readonly close: () => void;
}

export interface FolderTrackerOptions {
  /** As of `createWholeSearch`. */
  readonly clockFile: string;
  /** Null where there is none: then every search takes a look at every folder. */
  readonly openWatch: (() => FolderWatch) | null;
  /** From so many folders on they are watched; 1,000 unless given. */
  readonly watchedFrom?: number;
  /** Beyond so many none is looked at; 50,000 unless given. */
  readonly mostFolders?: number;
}

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
    // Not where it began while this search was at it.
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
      void beginWatch([...whole.seen().keys()]);
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
