import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Whether the folder or one above it is the root of a git work tree. */
export async function isInRepository(folder: string): Promise<boolean> {
  if (await isGitRoot(folder)) return true;
  const parent = dirname(folder);
  return parent !== folder && isInRepository(parent);
}

/** A `.git` file, as in a linked work tree, or a folder that is a repository: sandboxes leave empty ones in shared folders. */
async function isGitRoot(folder: string): Promise<boolean> {
  const git = join(folder, ".git");
  const [head, found] = await Promise.all([stat(join(git, "HEAD")).catch(() => null), stat(git).catch(() => null)]);
  return head !== null || found?.isFile() === true;
}
