import { type Entry, kindOf, listFolder, readEntries } from "@unroll/files";
import { systemErrorCode } from "@unroll/text";
import { withFolder } from "./with-folder.ts";

/**
 * Null: the folder cannot be listed. Git still finds what is in a folder that may be entered but
 * not listed, so such a folder of this user is opened for a moment.
 */
export function listEntries(path: string): readonly Entry[] | null {
  return kindOf(path) === "missing" ? null : listExisting(path);
}

/** The same for a path that exists, as a rule: an exception takes ten times as long as asking first. */
export function listExisting(path: string): readonly Entry[] | null {
  try {
    return readEntries(path);
  } catch (error) {
    return systemErrorCode(error) === "EACCES" ? listClosed(path) : null;
  }
}

function listClosed(path: string): readonly Entry[] | null {
  try {
    return withFolder(path, listFolder);
  } catch {
    return null;
  }
}
