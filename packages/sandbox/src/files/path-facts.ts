import { accessSync, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { fromNative, kindOf, toNative } from "@unroll/files";
import type { FileIdentity } from "@unroll/protocol";
import { listEntries } from "./list-entries.ts";

/**
 * Identifies what is at `path`, as opposed to anything that replaces it later. Null where
 * `statIfAny` is null.
 */
export function identityOf(path: string): FileIdentity | null {
  try {
    const { dev, ino } = lstatSync(toNative(path), { bigint: true });
    return { device: String(dev), inode: String(ino) };
  } catch {
    return null;
  }
}

/** Whether this user has that access, with every link followed. */
export function mayAccess(path: string, access: number): boolean {
  try {
    accessSync(toNative(path), access);
    return true;
  } catch {
    return false;
  }
}

/** The names in a folder; empty if it cannot be listed. */
export function listNames(path: string): readonly string[] {
  return (listEntries(path) ?? []).map(({ name }) => name);
}

/** Whether the folder `path` looks empty. */
export function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(toNative(path)).length === 0;
  } catch {
    return listNames(path).length === 0;
  }
}

/** The target of a symlink as written; null: it is not a symlink. */
export function readLinkIfAny(path: string): string | null {
  if (kindOf(path) !== "symlink") return null;
  try {
    return fromNative(readlinkSync(toNative(path), "buffer"));
  } catch {
    return null;
  }
}
