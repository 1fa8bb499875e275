import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { FileLockError, waitForLock } from "@unroll/files";
import type { Clock } from "@unroll/flow";
import { describeSystemError } from "@unroll/text";
import { AuthError } from "../auth-error.ts";

/** In ms: between two attempts. */
const retryMs = 20;

/**
 * Takes a lock that one process holds at a time, and in it one holder. It is free again as soon as
 * the holder is gone, even after a crash. Waits without blocking; null: the signal aborted. A file
 * system without locks holds nobody up: two processes may then renew a login at once.
 */
export async function lockStore(
  path: string,
  clock: Pick<Clock, "sleep">,
  signal: AbortSignal,
): Promise<Disposable | null> {
  if (signal.aborted) return null;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return await waitForLock(path, async () => {
      await clock.sleep(retryMs, signal);
      return !signal.aborted;
    });
  } catch (error) {
    if (error instanceof FileLockError && error.code === "no_locks") return { [Symbol.dispose]() {} };
    const reason = error instanceof FileLockError ? error.message : describeSystemError(error);
    const message = `The login cannot be renewed or changed, because its lock ${path} is not available: ${reason}.`;
    throw new AuthError("store_unusable", message, { cause: error });
  }
}
