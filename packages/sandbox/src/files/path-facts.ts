import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { listEntries } from "./list-entries.ts";
import { fromNative, toNative } from "./native-path.ts";

export type PathKind = "missing" | "file" | "folder" | "symlink" | "other";

/** Files that git and the sandbox go by are small; whoever makes a larger one wants to choke us. */
const LARGEST_TEXT_BYTES = 1024 * 1024;

/** What is at `path` itself; a symlink is not followed. What cannot be looked at counts as missing. */
export function kindOf(path: string): PathKind {
  const stats = lookAt(path);
  if (stats === undefined) return "missing";
  if (stats.isDirectory()) return "folder";
  if (stats.isSymbolicLink()) return "symlink";
  return stats.isFile() ? "file" : "other";
}

/** As lstat; nothing when there is nothing, or it cannot be looked at. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(toNative(path), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** As `fromNative` makes it. Nothing when it cannot be read, is no file, or is larger than 1 MiB. */
export function readTextIfAny(path: string): string | undefined {
  try {
    // A pipe without a writer would hold us up for ever.
    const fd = openSync(toNative(path), constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(fd);
      return stats.isFile() && stats.size <= LARGEST_TEXT_BYTES ? fromNative(readFileSync(fd)) : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

/** The names in a folder; none when it cannot be listed. */
export function listNames(path: string): readonly string[] {
  return (listEntries(path) ?? []).map(({ name }) => name);
}

/** Where a symlink leads, as it is written; nothing when it is none. */
export function readLinkIfAny(path: string): string | undefined {
  try {
    return fromNative(readlinkSync(toNative(path), "buffer"));
  } catch {
    return undefined;
  }
}

/** With every symlink on the way resolved; nothing when it does not exist. */
export function resolveIfAny(path: string): string | undefined {
  try {
    return fromNative(realpathSync.native(toNative(path), "buffer"));
  } catch {
    return undefined;
  }
}
