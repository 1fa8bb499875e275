import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { statIfAny, toNative } from "@unroll/files";

/** The content of a file, and who may read it. */
export interface FileCopy {
  readonly bytes: Uint8Array;
  /** Without write permission: changes to a copy would be lost. */
  readonly mode: number;
}

/**
 * Copies a small file of this user. Null for anything else: root can read other users' files, but a
 * command of root's in the sandbox cannot.
 */
export function copyFile(path: string, mostBytes: number): FileCopy | null {
  try {
    const fd = openSync(toNative(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(fd);
      if (!stats.isFile() || stats.size > mostBytes || stats.uid !== statIfAny("/proc/self")?.uid) return null;
      return { bytes: readFileSync(fd), mode: stats.mode & 0o555 };
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}
