import { stat } from "node:fs/promises";

/**
 * Why a file that a person named must not be opened, to stand behind "cannot be read: "; null where it may be. A named pipe
 * keeps its reader until somebody writes, and signals cannot end that. `/dev/stdin` and `/dev/fd/N`, a shell's `<(…)`, are open already.
 */
export async function findPipeFault(path: string): Promise<string | null> {
  if (/^\/(dev|proc)\//.test(path)) return null;
  const found = await stat(path).catch(() => null);
  return found?.isFIFO() ? "it is a pipe, not a regular file" : null;
}
