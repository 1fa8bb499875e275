import { dirname, join } from "node:path";
import { isFile, kindOf, listNames, readTextIfAny, resolveIfAny } from "../files/path-facts.ts";
import { followGitPath } from "./follow-git-path.ts";
import { parseGitConfig } from "./parse-config.ts";

/** What a folder has under the name `.git` (gitrepository-layout). All is read byte for byte as git reads it. */
export type GitEntry =
  | { readonly type: "none" }
  /** To a folder, or to a file that names one; null when it leads to neither. */
  | { readonly type: "symlink"; readonly gitFolder: string | null }
  | { readonly type: "folder"; readonly gitFolder: string }
  /** A file that names the folder: a linked worktree, a submodule, or `--separate-git-dir`. */
  | { readonly type: "pointer"; readonly gitFolder: string | null };

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

/**
 * Whether the repository itself says that `workTree` is one of its own. A pointer may be anybody's, so by itself it must
 * never decide which folder commands can write.
 */
export function ownsWorkTree(gitFolder: string, workTree: string): boolean {
  return readWorkTree(gitFolder) === workTree;
}

/** The work tree that a linked worktree's or a submodule's git folder names. */
export function readWorkTree(gitFolder: string): string | null {
  const pointerFile = readTextIfAny(join(gitFolder, "gitdir"));
  if (pointerFile !== null) {
    const isLinked = readCommonFolder(gitFolder) === dirname(dirname(gitFolder));
    const workTree = pointerFile.replace(/[ \t\n\r]+$/, "").replace(/\/\.git$/, "");
    return isLinked ? followGitPath(gitFolder, workTree) : null;
  }
  const config = parseGitConfig(readTextIfAny(join(gitFolder, "config")) ?? "");
  const workTree = config?.findLast(({ key }) => key === "core.worktree")?.value ?? null;
  return workTree === null ? null : followGitPath(gitFolder, workTree);
}

/** The git folders below `parent`, however deep; not those inside of them. */
export function findGitFolders(parent: string): readonly string[] {
  return listNames(parent)
    .map((name) => join(parent, name))
    .filter((path) => kindOf(path) === "folder")
    .flatMap((path) => (isGitFolder(path) ? [path] : findGitFolders(path)));
}

const pointerStart = "gitdir: ";

/** Of a link, the folder that holds the link counts. */
function readPointer(file: string): string | null {
  const text = withoutLineEnds(readTextIfAny(file) ?? "");
  const isPointer = text.startsWith(pointerStart) && text.length > pointerStart.length;
  return isPointer ? followGitPath(dirname(file), text.slice(pointerStart.length)) : null;
}

function withoutLineEnds(text: string): string {
  return text.replace(/[\r\n]+$/, "");
}
