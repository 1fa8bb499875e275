import { accessSync, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { fromNative, kindOf, toNative } from "@unroll/files";
import type { FileIdentity } from "@unroll/protocol";
import { listEntries } from "./list-entries.ts";

/** Tells what is at `path` itself from whatever may take its place; null as of `statIfAny`. */
export function identityOf(path: string): FileIdentity | null {
  try {
    const { dev, ino } = lstatSync(toNative(path), { bigint: true });
    return { device: String(dev), inode: String(ino) };
  } catch {
    return null;
  }
}

/** Whether this user may do that with it, after every link. */
export function mayAccess(path: string, access: number): boolean {
  try {
    accessSync(toNative(path), access);
    return true;
  } catch {
    return false;
  }
}

/** The names in a folder; none when it cannot be listed. */
export function listNames(path: string): readonly string[] {
  return (listEntries(path) ?? []).map(({ name }) => name);
}

/** Whether nothing is seen in `path`, which is a folder. */
export function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(toNative(path)).length === 0;
  } catch {
    return listNames(path).length === 0;
  }
}

/** Where a symlink leads, as it is written; null when it is none. */
export function readLinkIfAny(path: string): string | null {
  if (kindOf(path) !== "symlink") return null;
  try {
    return fromNative(readlinkSync(toNative(path), "buffer"));
  } catch {
    return null;
  }
}
