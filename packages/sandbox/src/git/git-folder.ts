import { dirname, join, resolve } from "node:path";
import { kindOf, listNames, readTextIfAny, resolveIfAny } from "../files/path-facts.ts";
import { parseGitConfig } from "./parse-config.ts";

/** What a folder has under the name `.git` (gitrepository-layout). */
export type GitEntry =
  | { readonly type: "none" }
  | { readonly type: "symlink" }
  | { readonly type: "folder"; readonly gitFolder: string }
  /** A file that names the folder: a linked worktree, a submodule, or `--separate-git-dir`. */
  | { readonly type: "pointer"; readonly gitFolder: string | null };

export function readGitEntry(workTree: string): GitEntry {
  const path = join(workTree, ".git");
  switch (kindOf(path)) {
    case "symlink":
      return { type: "symlink" };
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
  const common = readTextIfAny(join(gitFolder, "commondir"))?.trim() ?? null;
  return common === null ? gitFolder : (resolveIfAny(resolve(gitFolder, common)) ?? gitFolder);
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
  const pointerFile = readTextIfAny(join(gitFolder, "gitdir"))?.trim() ?? null;
  if (pointerFile !== null) {
    const isLinked = readCommonFolder(gitFolder) === dirname(dirname(gitFolder));
    return isLinked ? resolveIfAny(dirname(resolve(gitFolder, pointerFile))) : null;
  }
  const config = parseGitConfig(readTextIfAny(join(gitFolder, "config")) ?? "");
  const workTree = config?.findLast(({ key }) => key === "core.worktree")?.value ?? null;
  return workTree === null ? null : resolveIfAny(resolve(gitFolder, workTree));
}

/** The git folders below `parent`, however deep; not those inside of them. */
export function findGitFolders(parent: string): readonly string[] {
  return listNames(parent)
    .map((name) => join(parent, name))
    .filter((path) => kindOf(path) === "folder")
    .flatMap((path) => (isGitFolder(path) ? [path] : findGitFolders(path)));
}

function readPointer(file: string): string | null {
  const target = /^gitdir: (.+)$/m.exec(readTextIfAny(file) ?? "")?.[1];
  return target === undefined ? null : resolveIfAny(resolve(dirname(file), target));
}
