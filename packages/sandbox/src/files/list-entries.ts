import { existsSync, readdirSync, type Dirent } from "node:fs";
import { fromNative, toNative } from "@unroll/files";
import { systemErrorCode } from "@unroll/text";
import { withFolder } from "./with-folder.ts";

/** An entry of a folder. */
export interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isSymlink: boolean;
}

/**
 * Null: the folder cannot be listed. Git still finds what is in a folder that may be entered but
 * not listed, so such a folder of this user is opened for a moment.
 */
export function listEntries(path: string): readonly Entry[] | null {
  return existsSync(toNative(path)) ? listFolder(path) : null;
}

/** The same for a path that exists, as a rule: an exception takes ten times as long as asking first. */
export function listFolder(path: string): readonly Entry[] | null {
  try {
    return read(toNative(path));
  } catch (error) {
    return systemErrorCode(error) === "EACCES" ? listClosed(path) : null;
  }
}

function read(path: string | Buffer): readonly Entry[] {
  const entries = readdirSync(path, { withFileTypes: true });
  // Names that are not UTF-8 were lost. Asking for bytes at once would be slower for all other
  // folders.
  if (!entries.some(({ name }) => name.includes("\ufffd"))) return entries.map((entry) => toEntry(entry, entry.name));
  return readdirSync(path, { withFileTypes: true, encoding: "buffer" }).map((entry) =>
    toEntry(entry, fromNative(entry.name)),
  );
}

function toEntry(entry: Pick<Dirent, "isDirectory" | "isSymbolicLink">, name: string): Entry {
  return { name, isFolder: entry.isDirectory(), isSymlink: entry.isSymbolicLink() };
}

function listClosed(path: string): readonly Entry[] | null {
  try {
    return withFolder(path, read);
  } catch {
    return null;
  }
}
