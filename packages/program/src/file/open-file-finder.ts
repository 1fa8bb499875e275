import type { GitPlace } from "@unroll/process-tree";
import { listFiles } from "./list-files.ts";
import { createPathMatcher } from "./match-path.ts";

/** The files of a folder, found by a few letters of their path. */
export interface FileFinder {
  /** Resolves when all of it is listed, or the signal aborted. */
  readonly listed: Promise<void>;
  /** Looks for letters among what is listed, and among what is listed later; without letters the first ones are found. */
  search(letters: string, limit: number): PathSearch;
}

/** A search that is done step by step, of which none takes longer than a key may wait. */
export interface PathSearch {
  /**
   * Looks at the next thousand paths: `more` wait, or `unlisted` ones may come (another step, when they have), or it has looked at `all`.
   */
  step(): "more" | "unlisted" | "all";
  /** The best so far first, at most `limit`. */
  readonly found: readonly FoundFile[];
}

/** A file or a folder that the letters were found in. */
export interface FoundFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly isFolder: boolean;
  /** From 0 to 1, which is the whole path. */
  readonly score: number;
  /** Positions of the letters in the path. */
  readonly places: readonly number[];
}

/** How a folder is looked through. */
export interface FinderOptions {
  /** Whether folders that hold such files are found, too. */
  readonly hasFolders: boolean;
  /** For the git that is asked. */
  readonly env: GitPlace["env"];
  /** Of `GitPlace`. */
  readonly projects?: readonly string[];
  readonly signal: AbortSignal;
  /** Whether somebody may know of the file; `path` is relative to the folder. Absent: all may be known. */
  readonly isShown?: (path: string) => boolean;
  /** Called when more of it is listed. Absent: nobody waits for it. */
  readonly onMore?: () => void;
}

/** Looks through a folder, from now on: for what git knows of it, or else for all but hidden files and what tools generate. */
export function openFileFinder(folder: string, options: FinderOptions): FileFinder {
  const { hasFolders, env, projects = [], signal, isShown = () => true, onMore } = options;
  const listing: Listing = { paths: [], folders: new Set(), isWhole: false, narrowed: null };

  async function list(): Promise<void> {
    for await (const all of listFiles({ cwd: folder, env, projects, signal })) {
      const batch = all.filter(isShown);
      for (const path of batch) listing.paths.push(path);
      if (hasFolders) for (const path of batch) addParents(path, listing);
      onMore?.();
    }
    listing.isWhole = true;
    onMore?.();
  }

  return { listed: list(), search: (letters, limit) => createPathSearch(listing, letters, limit) };
}

interface Listing {
  /** In the order in which they were listed. */
  readonly paths: string[];
  readonly folders: Set<string>;
  isWhole: boolean;
  /**
   * The result of the last search that checked all paths. If the new search only adds letters to it, no other path can
   * match.
   */
  narrowed: { readonly letters: string; readonly paths: readonly string[] } | null;
}

/** Of `a/b/c`: `a/b` and `a`. */
function addParents(path: string, { paths, folders }: Listing): void {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    const folder = path.slice(0, end);
    if (folders.has(folder)) return;
    folders.add(folder);
    paths.push(folder);
  }
}

/** Paths that are looked at in one step: a few ms of work. */
const stepPaths = 1000;

function createPathSearch(listing: Listing, letters: string, limit: number): PathSearch {
  const { narrowed, folders } = listing;
  const among = narrowed !== null && letters.startsWith(narrowed.letters) ? narrowed.paths : listing.paths;
  const matcher = createPathMatcher(letters);
  const matching: string[] = [];
  const best: Ranked[] = [];
  let at = 0;

  function look(path: string): void {
    const score = matcher.score(path);
    if (score === 0) return;
    matching.push(path);
    insert(best, { path, score }, limit);
  }

  return {
    step() {
      if (letters.trim() === "") return listing.isWhole || among.length >= limit ? "all" : "unlisted";
      for (const end = Math.min(among.length, at + stepPaths); at < end; at += 1) look(among[at] ?? "");
      if (at < among.length) return "more";
      if (!listing.isWhole) return "unlisted";
      listing.narrowed = { letters, paths: matching };
      return "all";
    },
    get found() {
      const ranked = letters.trim() === "" ? among.slice(0, limit).map((path) => ({ path, score: 0 })) : best;
      return ranked.map(({ path, score }) => {
        return { path, score, isFolder: folders.has(path), places: matcher.places(path) };
      });
    },
  };
}

interface Ranked {
  readonly path: string;
  readonly score: number;
}

/** The best first; of those that are as good the shorter, and then the one that was listed first. */
function insert(best: Ranked[], ranked: Ranked, limit: number): void {
  const at = best.findIndex((each) => isBetter(ranked, each));
  if (at < 0 && best.length >= limit) return;
  best.splice(at < 0 ? best.length : at, 0, ranked);
  if (best.length > limit) best.pop();
}

function isBetter(left: Ranked, right: Ranked): boolean {
  return left.score > right.score || (left.score === right.score && left.path.length < right.path.length);
}
