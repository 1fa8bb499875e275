import { listFiles } from "./list-files.ts";

/** What lies in a folder, as it was when that was looked through, to be found by a few letters of its path. */
export interface FileFinder {
  /** The best first, at most so many; without letters the first ones. */
  find(letters: string, limit: number): readonly FoundFile[];
}

/** A file or a folder that the letters were found in. */
export interface FoundFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly isFolder: boolean;
  /** From 0 to 1, which is the whole path. */
  readonly score: number;
  /** Where the letters stand in the path. */
  readonly places: readonly number[];
}

/** How a folder is looked through. */
export interface FinderOptions {
  /** Whether folders that hold such files are found, too. */
  readonly hasFolders: boolean;
  readonly signal: AbortSignal;
}

/** Looks through a folder: for what git knows of it, or else for all but hidden files and what tools generate. */
export async function openFileFinder(folder: string, { hasFolders, signal }: FinderOptions): Promise<FileFinder> {
  const { default: fuzzysort } = await import("fuzzysort");
  const files = await listFiles(folder, signal);
  const folders = new Set(hasFolders ? files.flatMap(listParents) : []);
  const paths = [...files, ...folders];
  const targets = paths.map((path) => fuzzysort.prepare(path));
  return {
    find(letters, limit) {
      const found =
        letters === ""
          ? paths.slice(0, limit).map((path) => ({ target: path, score: 0, indexes: [] }))
          : fuzzysort.go(letters, targets, { limit, threshold: 0 }); // by itself it leaves out letters of words far apart
      return found.map(({ target: path, score, indexes }) => {
        return { path, isFolder: folders.has(path), score, places: [...indexes] };
      });
    },
  };
}

/** Of `a/b/c`: `a` and `a/b`. */
function listParents(path: string): readonly string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
}
