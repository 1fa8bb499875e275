import { type FoundFile, openFileFinder } from "@unroll/program";

/** What is looked for, and where. */
export interface FileSearch {
  readonly roots: readonly string[];
  readonly letters: string;
  /** How many at most. */
  readonly limit: number;
}

/** A file or a folder below one of the roots. */
export interface RootedFile extends FoundFile {
  readonly root: string;
}

/** The best of all roots first. */
export async function findFiles(
  { roots, letters, limit }: FileSearch,
  signal: AbortSignal,
): Promise<readonly RootedFile[]> {
  const ofRoots = roots.map(async (root) => {
    const finder = await openFileFinder(root, { hasFolders: true, signal });
    return finder.find(letters, limit).map((found) => ({ ...found, root }));
  });
  const found = (await Promise.all(ofRoots)).flat();
  return found.toSorted((a, b) => b.score - a.score).slice(0, limit);
}
