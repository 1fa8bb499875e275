import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
  type Stats,
} from "node:fs";
import { fromNative, toNative } from "./native-path.ts";

/** What a path itself is. */
export type PathKind = "missing" | "file" | "folder" | "symlink" | "other";

// What is missing is asked for all the time, and an exception takes ten times as long as to ask first.

/** Files that git and the sandbox go by are small; whoever makes a larger one wants to choke us. */
const largestTextBytes = 1024 * 1024;

/** What is at `path` itself; a symlink is not followed. What cannot be looked at counts as missing. */
export function kindOf(path: string): PathKind {
  const stats = statIfAny(path);
  if (stats === null) return "missing";
  if (stats.isDirectory()) return "folder";
  if (stats.isSymbolicLink()) return "symlink";
  return stats.isFile() ? "file" : "other";
}

/** Whether there is a file after every link. */
export function isFile(path: string): boolean {
  try {
    return statSync(toNative(path), { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

/** As lstat; null when there is nothing, or it cannot be looked at. */
export function statIfAny(path: string): Stats | null {
  try {
    return lstatSync(toNative(path), { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** As `fromNative` makes it. Null when it cannot be read, is no file, or is larger than 1 MiB. */
export function readTextIfAny(path: string): string | null {
  if (!isFile(path)) return null;
  try {
    // A pipe without a writer would hold us up for ever.
    const fd = openSync(toNative(path), constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(fd);
      return stats.isFile() && stats.size <= largestTextBytes ? fromNative(readFileSync(fd)) : null;
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

/** With every symlink on the way resolved; null when it does not exist. */
export function resolveIfAny(path: string): string | null {
  try {
    return fromNative(realpathSync.native(toNative(path), "buffer"));
  } catch {
    return null;
  }
}
