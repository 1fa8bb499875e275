import { closeSync, fstatSync, futimesSync, lstatSync, openSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { listEntries, type Entry } from "../files/list-entries.ts";
import { toNative } from "../files/native-path.ts";

/** Knows all folders of a tree and asks the file system only for what has changed. */
export interface FolderTracker {
  readonly search: () => Promise<SearchResult>;
  readonly close: () => void;
}

export interface SearchResult {
  /** The folders that git may take for the top of a repository, or for a repository itself. */
  readonly candidates: readonly string[];
  /** How many folders were looked at. */
  readonly count: number;
  /** No folder came, went or changed since the search before: so none was moved out of the way of this one. */
  readonly isCalm: boolean;
}

interface KnownFolder {
  /** When its list of names last changed, in ms, to a quarter of a microsecond: whole ns take a quarter longer to get. */
  readonly changedAt: number;
  /** Paths: to join them anew at each look would take as long as the look. */
  readonly folders: readonly string[];
  readonly isCandidate: boolean;
}

/** Beyond this many folders, counted from the roots down, a tree is not searched: the time would be felt. */
const mostFolders = 50_000;
/** Two changes within the clock's tick leave one time stamp: so long must a list be unchanged to be relied on. */
const settledAfterMs = 50;
/** How many folders are looked at before others get their turn. */
const batch = 2_000;

/** `clockFile` is made and loses its name at once: its time stamps say what time the file system has. */
export function createFolderTracker(roots: readonly string[], clockFile: string): FolderTracker {
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
      const folder = look(path, last !== null && isSettled(last) ? last : null);
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

  return { search, close: () => closeSync(clock) };
}

function look(path: string, before: KnownFolder | null): KnownFolder | null {
  try {
    const changedAt = lstatSync(toNative(path)).ctimeMs;
    if (changedAt === before?.changedAt) return before;
    const entries = listEntries(path);
    if (entries === null) return null;
    const folders = entries
      .filter((entry) => entry.isFolder && !isPassedOver(path, entry))
      .map(({ name }) => join(path, name));
    return { changedAt, folders, isCandidate: looksLikeRepository(entries) };
  } catch {
    // It is gone, or closed to us and so to git.
    return null;
  }
}

/** In what the kernel shows of itself there are no repositories, and it never comes to rest. */
function isPassedOver(parent: string, { name }: Entry): boolean {
  return parent === "/" && ["proc", "sys", "dev"].includes(name);
}

function looksLikeRepository(entries: readonly Entry[]): boolean {
  const names = new Set(entries.map(({ name }) => name));
  return (
    names.has(".git") || (names.has("HEAD") && (names.has("commondir") || (names.has("objects") && names.has("refs"))))
  );
}
