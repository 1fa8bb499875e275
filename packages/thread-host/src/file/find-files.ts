import { setImmediate as rest } from "node:timers/promises";
import { type FoundFile, openFileFinder } from "@unroll/program";

/** What is looked for, and where. */
export interface FileSearch {
  readonly roots: readonly string[];
  readonly letters: string;
  /** How many at most. */
  readonly limit: number;
  /** For the git that is asked. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A file or a folder below one of the roots. */
export interface RootedFile extends FoundFile {
  readonly root: string;
}

/** The best of all roots first. Whatever else goes on in this process is not held up by it. */
export async function findFiles(
  { roots, letters, limit, env }: FileSearch,
  signal: AbortSignal,
): Promise<readonly RootedFile[]> {
  const ofRoots = roots.map(async (root) => {
    const finder = openFileFinder(root, { hasFolders: true, env, signal });
    await finder.listed;
    const search = finder.search(letters, limit);
    while (search.step() === "more" && !signal.aborted) await rest();
    return search.found.map((found) => ({ ...found, root }));
  });
  const found = (await Promise.all(ofRoots)).flat();
  return found.toSorted((a, b) => b.score - a.score).slice(0, limit);
}
