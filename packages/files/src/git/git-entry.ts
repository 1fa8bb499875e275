import { dirname, join } from "node:path";
import { isFile, kindOf, readTextIfAny, resolveIfAny } from "../look/path-facts.ts";
import { followGitPath } from "./follow-git-path.ts";

/** The entry `.git` of a folder (gitrepository-layout). All is read byte for byte as git reads it. */
export type GitEntry =
  | { readonly type: "none" }
  /** To a folder, or to a file that names one; null when it leads to neither. */
  | { readonly type: "symlink"; readonly gitFolder: string | null }
  | { readonly type: "folder"; readonly gitFolder: string }
  /** A file that names the folder: a linked worktree, a submodule, or `--separate-git-dir`. */
  | { readonly type: "pointer"; readonly gitFolder: string | null };

/** Reads the folder's own entry, not that of a folder around it. */
export function readGitEntry(workTree: string): GitEntry {
  const path = join(workTree, ".git");
  switch (kindOf(path)) {
    case "symlink":
      return { type: "symlink", gitFolder: isFile(path) ? readPointer(path) : resolveIfAny(path) };
    case "folder":
      return { type: "folder", gitFolder: path };
    case "file":
      return { type: "pointer", gitFolder: readPointer(path) };
    case "missing":
    case "other":
      return { type: "none" };
  }
}

/** Whether git would take `path` for a repository. */
export function isGitFolder(path: string): boolean {
  const has = (name: string): boolean => kindOf(join(path, name)) !== "missing";
  return has("HEAD") && (has("commondir") || (has("objects") && has("refs")));
}

/** The folder that `gitFolder` shares with the other worktrees of its repository; itself when it is the only one. */
export function readCommonFolder(gitFolder: string): string {
  const common = readTextIfAny(join(gitFolder, "commondir"));
  return common === null ? gitFolder : (followGitPath(gitFolder, withoutLineEnds(common)) ?? gitFolder);
}

const pointerStart = "gitdir: ";

/** For a link, the folder that holds the link counts. */
function readPointer(file: string): string | null {
  const text = withoutLineEnds(readTextIfAny(file) ?? "");
  const isPointer = text.startsWith(pointerStart) && text.length > pointerStart.length;
  return isPointer ? followGitPath(dirname(file), text.slice(pointerStart.length)) : null;
}

function withoutLineEnds(text: string): string {
  return text.replace(/[\r\n]+$/, "");
}
