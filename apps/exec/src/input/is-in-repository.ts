import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Whether the folder or one above it is the root of a git work tree (`.git` is a folder, or a file in a linked one). */
export async function isInRepository(folder: string): Promise<boolean> {
  const found = await stat(join(folder, ".git")).then(
    () => true,
    () => false,
  );
  if (found) return true;
  const parent = dirname(folder);
  return parent !== folder && isInRepository(parent);
}
