import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * The nearest root of a git work tree upward from `cwd`, `cwd` itself included; null where there is none. By its path as
 * written: links in it are not followed.
 */
export async function findProjectRoot(cwd: string): Promise<string | null> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (await isGitRoot(folder)) return folder;
    if (folder === dirname(folder)) return null;
  }
}

/** The folders from `root` down to `cwd`, both included. `cwd` is `root` or below it. */
export function listFolders(root: string, cwd: string): readonly string[] {
  const folders = [cwd];
  for (let folder = cwd; folder !== root && folder !== dirname(folder); folder = dirname(folder))
    folders.unshift(dirname(folder));
  return folders;
}

/**
 * With a `.git` file, as in a linked work tree or a submodule, or a `.git` folder that is a repository: sandboxes leave
 * empty ones in shared folders.
 */
async function isGitRoot(folder: string): Promise<boolean> {
  const git = join(folder, ".git");
  const found = await stat(git).catch(() => null);
  if (found === null || found.isFile()) return found !== null;
  return stat(join(git, "HEAD")).then(
    () => true,
    () => false,
  );
}
