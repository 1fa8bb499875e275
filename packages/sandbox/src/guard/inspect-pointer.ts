import { join } from "node:path";
import { isFile, isGitFolder, readGitEntry, readTextIfAny } from "@unroll/files";
import { ownsWorkTree } from "../git/git-folder.ts";
import { beyondJudgement, type Danger } from "./inspect-git-folder.ts";

/**
 * Whether the `.git` of a folder points to a repository that commands cannot write. Nobody has
 * inspected such a repository: it may be a download with hooks. One that names this folder as its
 * own work tree is accepted.
 */
export function inspectPointer(workTree: string, isWritable: (path: string) => boolean): readonly Danger[] {
  const entry = readGitEntry(workTree);
  if (entry.type !== "pointer" && entry.type !== "symlink") return [];
  const { gitFolder } = entry;
  const path = join(workTree, ".git");
  // Unreadable for this user now, but perhaps not later.
  if (isFile(path) && readTextIfAny(path) === null) return [beyondJudgement(path)];
  if (gitFolder === null || isWritable(gitFolder) || !isGitFolder(gitFolder) || ownsWorkTree(gitFolder, workTree))
    return [];
  return [
    { id: `${path} -> ${gitFolder}`, path, effect: "obey the repository outside of the workspace that it names" },
  ];
}
