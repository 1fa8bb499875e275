import { foldersUpFrom, joinPath } from "../file/path.ts";
import type { PromptFiles } from "../prompt-files.ts";

/**
 * The folders whose AGENTS.md files count, outermost first: from the git root down to cwd, or cwd alone where there is no
 * git root. The root is the nearest folder with a `.git` folder or file (a linked worktree, a submodule).
 */
export async function findProjectFolders(files: PromptFiles, cwd: string): Promise<readonly [string, ...string[]]> {
  const passed: string[] = [];
  for (const folder of foldersUpFrom(cwd)) {
    const git = await files.read(joinPath(folder, ".git"), 0);
    if (git.type !== "missing") return [folder, ...passed];
    passed.unshift(folder);
  }
  return [cwd];
}
