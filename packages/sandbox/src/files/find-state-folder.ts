import { userInfo } from "node:os";
import { lookAt } from "./path-facts.ts";
import { makeFolder } from "./make-folder.ts";

/** Shared memory: the same for every harness on the machine, fast, gone with a restart, and private in every sandbox. */
const SHARED_MEMORY = "/dev/shm";

/**
 * The folder for `SandboxSetting.stateFolder`: one that all harnesses of this user share, whatever home or configuration
 * they have, so that none removes what another one's sandbox stands on. `fallback`, absolute, where that cannot be had.
 */
export function findStateFolder(fallback: string): string {
  const { uid } = userInfo();
  const shared = `${SHARED_MEMORY}/unroll-${uid}`;
  if (lookAt(SHARED_MEMORY) === undefined || makeFolder(shared) !== undefined) return fallback;
  const stats = lookAt(shared);
  // Anybody may have made something of that name there.
  const isOurs = stats?.isDirectory() === true && stats.uid === uid && (stats.mode & 0o077) === 0;
  return isOurs ? shared : fallback;
}
