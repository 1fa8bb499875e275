import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Removes what a crash left beside a folder and what nobody has changed since `before`, in ms since 1970; never the folder itself. Rejects
 * where the system does: the next one that has such a folder tries again.
 */
export async function removeOldSiblings(folder: string, before: number): Promise<void> {
  const parent = dirname(folder);
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    if (path !== folder && (await stat(path)).mtimeMs < before) await rm(path, { recursive: true, force: true });
  }
}
