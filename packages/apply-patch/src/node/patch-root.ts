import { isAbsolute, relative, sep } from "node:path";
import type { FolderHandle, FolderIdentity } from "./folder-handle.ts";

/** A folder that patches may write. */
export interface PatchRoot {
  /** Its real path. */
  readonly path: string;
  /** Which folder was at the path when it was allowed. */
  readonly identity: FolderIdentity;
}

/**
 * The path of a root that another folder has replaced; null if the folder lies below the original roots, or below none.
 * Counts the levels up to the root's path and identifies the folder there, starting at the held folder, not at its path.
 */
export async function findReplacedRoot(
  handle: Pick<FolderHandle, "realPath" | "identifyAbove">,
  roots: readonly PatchRoot[],
): Promise<string | null> {
  for (const { path, identity } of roots) {
    const levels = countLevels(path, handle.realPath);
    if (levels === null) continue;
    const above = await handle.identifyAbove(levels);
    if (above.device !== identity.device || above.inode !== identity.inode) return path;
  }
  return null;
}

/** How many levels `path` is below `root`; null if it is not below it. */
function countLevels(root: string, path: string): number | null {
  const way = relative(root, path);
  if (way === "") return 0;
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : way.split(sep).length;
}
