import { dirname, join } from "node:path";
import { followGitPath, isGitFolder, kindOf, parseGitConfig, readCommonFolder, readTextIfAny } from "@unroll/files";
import { listNames } from "../files/path-facts.ts";

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
