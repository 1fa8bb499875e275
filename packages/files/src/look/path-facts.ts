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

/** The kind of a path itself. */
export type PathKind = "missing" | "file" | "folder" | "symlink" | "other";

// Missing paths are common here, and an exception takes ten times as long as asking first.

/** Files that git and the sandbox obey are small; a larger one is an attempt to slow us down. */
const largestTextBytes = 1024 * 1024;

/**
 * The kind of the entry at `path`; a symlink is not followed. A path that cannot be inspected
 * counts as missing.
 */
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

/**
 * The text of a file, decoded by `fromNative`. Null: it cannot be read, is not a file, or is larger
 * than 1 MiB.
 */
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
