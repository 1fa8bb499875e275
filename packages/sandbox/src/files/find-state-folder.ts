import { statIfAny } from "@unroll/files";
import { findOwnUser } from "@unroll/process-tree";
import { checkShape } from "@unroll/text";
import { makeFolder } from "./make-folder.ts";

/** Shared memory: the same for every harness on the machine, fast, gone with a restart, and private in every sandbox. */
const sharedMemory = "/dev/shm";

/**
 * The folder for `SandboxPlace.stateFolder`: one that all harnesses of this user share, whatever home or configuration
 * they have, so that none removes what another one's sandbox stands on. `fallback`, absolute, where that cannot be had.
 */
export function findStateFolder(fallback: string): string {
  checkShape("findStateFolder", { fallback }, { fallback: "text" });
  const { uid } = findOwnUser();
  const shared = `${sharedMemory}/unroll-${uid}`;
  if (statIfAny(sharedMemory) === null || makeFolder(shared) !== null) return fallback;
  const stats = statIfAny(shared);
  // Anybody may have made something of that name there.
  const isOurs = stats?.isDirectory() === true && stats.uid === uid && (stats.mode & 0o077) === 0;
  return isOurs ? shared : fallback;
}
