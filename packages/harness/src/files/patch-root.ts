import { isAbsolute, relative, sep } from "node:path";
import type { WritableRoot } from "@unroll/protocol";
import type { FolderHandle } from "./folder-handle.ts";

/** A folder that patches may write, by its real path, and which folder that is. */
export type PatchRoot = Pick<WritableRoot, "path" | "identity">;

/**
 * The path of a root that another folder has taken the place of. It is asked of the held folder what lies so many levels
 * above it, not of the path. Null when it lies beneath the very roots that its path says, or in none.
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

/** How far `path` is below `root`; null when it is not. */
function countLevels(root: string, path: string): number | null {
  const way = relative(root, path);
  if (way === "") return 0;
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : way.split(sep).length;
}
