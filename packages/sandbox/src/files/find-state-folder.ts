import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { statIfAny } from "@unroll/files";
import { findOwnUser } from "@unroll/process-tree";
import { checkShape, systemErrorCode } from "@unroll/text";
import { makeFolder } from "./make-folder.ts";

/**
 * Shared memory: the same for every harness on the machine, fast, empty after a restart, and
 * private in every sandbox.
 */
const sharedMemory = "/dev/shm";

/**
 * The folder for `SandboxPlace.stateFolder`. All harnesses of this user share it, whatever their
 * home or configuration, so that none removes files that another one's sandbox needs. Linux has
 * `/dev/shm/unroll-UID`; `fallback`, an absolute path, is returned where that cannot be used.
 */
export function findStateFolder(fallback: string): string {
  checkShape("findStateFolder", { fallback }, { fallback: "text" });
  const { uid } = findOwnUser();
  const shared = `${sharedMemory}/unroll-${uid}`;
  if (statIfAny(sharedMemory) === null || makeFolder(shared) !== null || !takesBytes(shared)) return fallback;
  const stats = statIfAny(shared);
  // Another user may have created something with that name.
  const isOurs = stats?.isDirectory() === true && stats.uid === uid && (stats.mode & 0o077) === 0;
  return isOurs ? shared : fallback;
}

/** Shared memory may be full: then a file can be made there, but not written. */
function takesBytes(folder: string): boolean {
  const path = join(folder, ".space");
  try {
    writeFileSync(path, " ", { mode: 0o600 });
    return true;
  } catch (error) {
    return systemErrorCode(error) !== "ENOSPC" && systemErrorCode(error) !== "EDQUOT";
  } finally {
    rmSync(path, { force: true });
  }
}

/** Has room where the disk of the state folder is full; commands may write there. */
export function findSpareFolder(environment: Readonly<Record<string, string>>): string {
  return environment["TMPDIR"] ?? "/tmp";
}
