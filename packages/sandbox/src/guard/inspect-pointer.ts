import { join } from "node:path";
import { isGitFolder, readGitEntry } from "@unroll/files";
import { ownsWorkTree } from "../git/git-folder.ts";
import type { Danger } from "./inspect-git-folder.ts";

/**
 * Whether what a folder has under the name `.git` leads to a repository that commands cannot write, and so nobody has looked
 * at: it may be anybody's, a download with hooks. One that names this folder as a work tree of its own may be meant.
 */
export function inspectPointer(workTree: string, isWritable: (path: string) => boolean): readonly Danger[] {
  const entry = readGitEntry(workTree);
  if (entry.type !== "pointer" && entry.type !== "symlink") return [];
  const { gitFolder } = entry;
  if (gitFolder === null || isWritable(gitFolder) || !isGitFolder(gitFolder) || ownsWorkTree(gitFolder, workTree))
    return [];
  const path = join(workTree, ".git");
  return [
    { id: `${path} -> ${gitFolder}`, path, effect: "obey the repository outside of the workspace that it names" },
  ];
}
