import { closeSync, openSync, rmSync } from "node:fs";
import { systemErrorCode } from "@unroll/text";

/** In ms: a lock that is held for this long belongs to a process that died. */
const staleMs = 2_000;

/**
 * Runs `work` while no other process runs its own under the same lock. `work` must take well under
 * a millisecond.
 */
export function withFileLock<Result>(path: string, work: () => Result): Result {
  for (let waitedMs = 0; !tryCreate(path); waitedMs += 1) {
    if (waitedMs === staleMs) rmSync(path, { force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryCreate(path: string): boolean {
  try {
    closeSync(openSync(path, "wx", 0o600));
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}
