import { stat } from "node:fs/promises";

/**
 * Why a file that the user named must not be opened, worded to follow "cannot be read: "; null if it may be opened. A
 * named pipe keeps its reader until somebody writes, and signals cannot end that. `/dev/stdin` and `/dev/fd/N`, a
 * shell's `<(…)`, are open already.
 */
export async function findPipeFault(path: string): Promise<string | null> {
  if (/^\/(dev|proc)\//.test(path)) return null;
  const found = await stat(path).catch(() => null);
  return found?.isFIFO() ? "it is a pipe, not a regular file" : null;
}
