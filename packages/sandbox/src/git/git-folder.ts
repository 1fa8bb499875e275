import { dirname, join } from "node:path";
import { followGitPath, isGitFolder, kindOf, parseGitConfig, readCommonFolder, readTextIfAny } from "@unroll/files";
import { listNames } from "../files/path-facts.ts";

/**
 * Whether the repository itself names `workTree` as one of its own. Anyone can write a pointer, so
 * a pointer alone must never decide which folder commands can write.
 */
export function ownsWorkTree(gitFolder: string, workTree: string): boolean {
  return readWorkTree(gitFolder) === workTree;
}

/** The work tree that the git folder of a linked worktree or a submodule names. */
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

/** The git folders below `parent`, at any depth; not those inside of them. */
export function findGitFolders(parent: string): readonly string[] {
  return listNames(parent)
    .map((name) => join(parent, name))
    .filter((path) => kindOf(path) === "folder")
    .flatMap((path) => (isGitFolder(path) ? [path] : findGitFolders(path)));
}
