import { resolve } from "node:path";
import { type PatchFiles, PatchFilesError } from "@unroll/apply-patch";
import { attemptOrNull } from "./attempt-patch-call.ts";
import { openFolderHandle, type OpenFolderHandle } from "./folder-handle.ts";
import { NodePatchFolder } from "./node-patch-folder.ts";
import { findReplacedRoot, type PatchRoot } from "./patch-root.ts";

export interface NodePatchFilesOptions {
  /** Read at each folder. One below a root whose place something else has taken is refused. */
  readonly listRoots: () => readonly PatchRoot[];
  /** The best that the system has when absent. */
  readonly openHandle?: OpenFolderHandle;
}

/**
 * A patch's files on this machine. Folders are held, and on Linux everything is done beneath the held one: nobody can
 * lead a patch elsewhere by renaming folders or by links in their place. New bytes are on the disk (fsync) before they
 * are renamed into place. A replaced file keeps its mode and, where this user may set them, owner and group; other names
 * of it (hard links) keep the old text, and access lists and extended attributes are not carried over. Staged files and
 * backups are hidden files next to the target, and only a crash leaves one behind.
 */
export function createNodePatchFiles({ listRoots, openHandle = openFolderHandle }: NodePatchFilesOptions): PatchFiles {
  async function open(path: string, links: "follow" | "refuse"): Promise<NodePatchFolder> {
    const handle = await openHandle(path, links);
    const folder = new NodePatchFolder(handle, { listRoots, openBelow: (child) => open(child, "refuse") });
    try {
      const replaced = await findReplacedRoot(handle, listRoots());
      if (replaced === null) return folder;
      throw new PatchFilesError(
        `something else has taken the place of the writable folder ${replaced} since the thread began`,
        { code: "ESTALE", retryable: false },
      );
    } catch (error) {
      await folder[Symbol.asyncDispose]();
      throw error;
    }
  }
  return { resolve, openFolder: (path) => attemptOrNull(() => open(path, "follow")) };
}
