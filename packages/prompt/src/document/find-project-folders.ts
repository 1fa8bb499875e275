import { foldersUpFrom, joinPath } from "../file/path.ts";
import type { PromptFiles } from "../prompt-files.ts";

/**
 * The folders whose AGENTS.md files count, outermost first: from the git root down to cwd, or cwd alone where there is no
 * git root. The root is the nearest folder with a `.git` that is a repository or, as in a linked worktree or a submodule, a file:
 * sandboxes leave empty `.git` folders in shared places.
 */
export async function findProjectFolders(files: PromptFiles, cwd: string): Promise<readonly [string, ...string[]]> {
  const passed: string[] = [];
  for (const folder of foldersUpFrom(cwd)) {
    if (await isGitRoot(files, folder)) return [folder, ...passed];
    passed.unshift(folder);
  }
  return [cwd];
}

async function isGitRoot(files: PromptFiles, folder: string): Promise<boolean> {
  const git = await files.read(joinPath(folder, ".git"), 0);
  if (git.type === "missing") return false;
  return git.type !== "irregular" || (await files.read(joinPath(folder, ".git/HEAD"), 0)).type !== "missing";
}
