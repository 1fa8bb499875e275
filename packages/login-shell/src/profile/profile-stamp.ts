import { join } from "node:path";
import { readEntries, stampIfAny } from "@unroll/files";

/**
 * Identifies the current contents of files: each by its identity, size and times, missing ones as missing. A folder's
 * stamp includes the files in it. Two stamps are equal exactly when nothing of that has changed.
 */
export function stampFiles(paths: readonly string[]): string {
  return paths.map(stampFile).join("\n");
}

function stampFile(path: string): string {
  const files = stampIfAny(path)?.isFolder === true ? listFiles(path) : [];
  return [path, ...files].map((file) => `${file} ${stampIfAny(file)?.text}`).join("\n");
}

function listFiles(folder: string): readonly string[] {
  try {
    return readEntries(folder).map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}
