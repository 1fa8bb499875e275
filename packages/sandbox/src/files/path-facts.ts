import { lstatSync } from "node:fs";
import { statIfAny, toNative } from "@unroll/files";
import type { FileIdentity } from "@unroll/protocol";
import { listEntries } from "./list-entries.ts";

/**
 * Identifies what is at `path`, as opposed to anything that replaces it later. Null where
 * `statIfAny` is null.
 */
export function identityOf(path: string): FileIdentity | null {
  const stats = statIfAny(path);
  if (stats === null) return null;
  if (Number.isSafeInteger(stats.ino)) return { device: String(stats.dev), inode: String(stats.ino) };
  try {
    const { dev, ino } = lstatSync(toNative(path), { bigint: true }); // a number that large has lost its last digits
    return { device: String(dev), inode: String(ino) };
  } catch {
    return null;
  }
}

/** The names in a folder; empty if it cannot be listed. */
export function listNames(path: string): readonly string[] {
  return (listEntries(path) ?? []).map(({ name }) => name);
}
