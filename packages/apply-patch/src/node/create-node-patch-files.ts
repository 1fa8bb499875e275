import { resolve } from "node:path";
import { checkShape } from "@unroll/text";
import type { PatchFiles } from "../plan/patch-files.ts";
import { PatchFilesError } from "../plan/patch-files-error.ts";
import { attemptOrNull } from "./attempt-patch-call.ts";
import { openFolderHandle, type OpenFolderHandle } from "./folder-handle.ts";
import { NodePatchFolder } from "./node-patch-folder.ts";
import { findReplacedRoot, type PatchRoot } from "./patch-root.ts";

export interface NodePatchFilesOptions {
  /**
   * The folders that patches may write, read each time a folder is opened. A folder below a root is refused if another
   * folder has taken that root's place. Nothing else is refused: `isWritable` of `planPatch` decides who may write where.
   */
  readonly listRoots: () => readonly PatchRoot[];
  /** Default: folders are held open on Linux, and used by path elsewhere. */
  readonly openHandle?: OpenFolderHandle;
}

/**
 * The `PatchFiles` of this machine's disk.
 *
 * On Linux, each folder is held open and every call goes through the held folder: renaming folders, or putting links in
 * their place, cannot redirect a patch. New bytes are synced to disk before they are renamed into place. A replaced file
 * keeps its mode and, if this user may set them, its owner and group. Its other hard links keep the old text; access lists
 * and extended attributes are not copied. Staged files and backups are hidden files next to the target. They are removed at
 * the end, or by the next patch in that folder if the process was killed (Linux).
 */
export function createNodePatchFiles(options: NodePatchFilesOptions): PatchFiles {
  checkShape("createNodePatchFiles", options, { listRoots: "a function", "openHandle?": "a function" });
  const { listRoots, openHandle = openFolderHandle } = options;
  const cleared = new Set<string>();
  async function open(path: string, links: "follow" | "refuse"): Promise<NodePatchFolder> {
    const handle = await openHandle(path, links);
    const folder = new NodePatchFolder(handle, { listRoots, openBelow: (child) => open(child, "refuse"), cleared });
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

/** The `PatchFiles` of this machine's disk for a patch that may write wherever this user may. */
export const nodePatchFiles: PatchFiles = createNodePatchFiles({ listRoots: () => [] });
