import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import { systemErrorCode } from "@unroll/text";

/**
 * Throws what the system refuses of a folder that may still have to be made: Node.js makes folders one in another, and says of a disk that
 * cannot be written only that the folder is not there.
 */
export async function checkWritable(folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT" || folder === dirname(folder)) throw error;
    await checkWritable(dirname(folder));
  }
}
