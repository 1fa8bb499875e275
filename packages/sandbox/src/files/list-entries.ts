import { existsSync, readdirSync, type Dirent } from "node:fs";
import { fromNative, toNative } from "@unroll/files";
import { systemErrorCode } from "@unroll/text";
import { withFolder } from "./with-folder.ts";

/** What is in a folder. */
export interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isSymlink: boolean;
}

/**
 * Null when it cannot be listed. A folder of the user's own that may be entered but not listed hides nothing from git:
 * it is opened for the moment.
 */
export function listEntries(path: string): readonly Entry[] | null {
  if (!existsSync(toNative(path))) return null;
  try {
    return read(toNative(path));
  } catch (error) {
    return systemErrorCode(error) === "EACCES" ? listClosed(path) : null;
  }
}

function read(path: string | Buffer): readonly Entry[] {
  const entries = readdirSync(path, { withFileTypes: true });
  // What is not UTF-8 was lost; to ask for bytes at once would take longer for all other folders.
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
