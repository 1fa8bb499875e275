import { listLines } from "../text/list-lines.ts";
import { showPath } from "../text/show-path.ts";

/** Bytes of one list of paths. */
const maxListBytes = 8 * 1024;

/** Each path once, on a line of its own. */
export function listPaths(paths: readonly string[]): string {
  return listLines(
    [...new Set(paths)].map((path) => `- ${showPath(path)}`),
    maxListBytes,
  );
}
