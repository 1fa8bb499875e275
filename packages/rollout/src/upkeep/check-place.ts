import { mkdir, open, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CheckedStore } from "@unroll/protocol";
import { checkWritable } from "../file/check-writable.ts";
import type { RolloutFolder } from "../file/rollout-folder.ts";
import { lockThread, type ThreadToLock, tryToLockThread } from "../file/thread-lock.ts";
import { ThreadStoreError } from "../thread-store-error.ts";

/**
 * Makes a file beside the threads, locks it, sees that nobody else could, writes it to the disk, and leaves nothing of it, except the folder
 * where threads need locks: others may be about to use it. Throws what the system refuses, and `ThreadStoreError` for a lock that does not
 * hold, or for none if they are needed.
 */
export async function checkPlace(
  { root }: Pick<RolloutFolder, "root">,
  { pid, needsLocks }: Pick<ThreadToLock, "pid" | "needsLocks">,
): Promise<CheckedStore> {
  await checkWritable(root);
  const made = await mkdir(root, { recursive: true, mode: 0o700 });
  const path = join(root, `.check-${pid}`);
  const tried = { path, threadId: "of the check", pid, needsLocks };
  try {
    await using file = await open(path, "w", 0o600);
    await using lock = await lockThread(tried);
    await file.writeFile("{}\n");
    await file.datasync();
    if (lock.warning !== null) return { place: root, warning: lock.warning };
    if (await canBeLocked(tried)) {
      throw new ThreadStoreError(
        "thread_locked",
        `A lock in ${root} does not keep other processes out: move CODEX_HOME to another disk.`,
      );
    }
    return { place: root, warning: null };
  } catch (error) {
    // a refused write does not say where
    throw error instanceof Error && "syscall" in error ? Object.assign(error, { path: root }) : error;
  } finally {
    await rm(path, { force: true });
    if (made !== undefined && !needsLocks) await removeEmpty(root, made);
  }
}

async function canBeLocked(thread: Parameters<typeof lockThread>[0]): Promise<boolean> {
  await using lock = await tryToLockThread(thread);
  return lock !== null;
}

/** The folders that were made for it, unless somebody put something there meanwhile. */
async function removeEmpty(folder: string, first: string): Promise<void> {
  const isRemoved = await rmdir(folder).then(
    () => true,
    () => false,
  );
  if (isRemoved && folder !== first) await removeEmpty(dirname(folder), first);
}
