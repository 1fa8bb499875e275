import { PatchFilesError } from "./patch-files-error.ts";
import type { PatchFiles } from "./patch-files.ts";
import type { PlannedWrite } from "./patch-plan.ts";

/** The bytes of a regular file that a plan was made on, to show what becomes of it. Null when it has changed since, or cannot be read. */
export async function readPlanned(
  files: PatchFiles,
  { folder, name, before }: PlannedWrite,
): Promise<Uint8Array | null> {
  try {
    await using held = await files.openFolder(folder);
    if (held?.realPath !== folder || before === null) return null;
    const now = await held.stat(name);
    return now?.version === before.version ? await held.readFile(name, before) : null;
  } catch (error) {
    if (error instanceof PatchFilesError) return null;
    throw error;
  }
}
