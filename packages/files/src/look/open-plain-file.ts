import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** `append` and `replace` create the file (mode 0600) if there is none; `update` does not. */
export type PlainFileAccess = "read" | "update" | "append" | "replace";

const flagsOf: Readonly<Record<PlainFileAccess, number>> = {
  read: constants.O_RDONLY,
  update: constants.O_RDWR,
  append: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND,
  replace: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC,
};

/**
 * Opens a file that unroll keeps for itself; the caller closes it. Never waits for the other end of a pipe. Throws the system's
 * errors, and an error for a pipe, a device or a folder.
 */
export async function openPlainFile(path: string, access: PlainFileAccess): Promise<FileHandle> {
  const file = await open(path, flagsOf[access] | constants.O_NONBLOCK, 0o600);
  const isPlain = await file.stat().then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (isPlain) return file;
  await file.close();
  throw new Error("it is not a regular file");
}

/** The text of such a file. Throws as `openPlainFile`. */
export async function readPlainFile(path: string): Promise<string> {
  await using file = await openPlainFile(path, "read");
  return await file.readFile("utf8");
}

/** Adds a text to the end of such a file, in one write. Throws as `openPlainFile`. */
export async function appendPlainFile(path: string, text: string): Promise<void> {
  await using file = await openPlainFile(path, "append");
  await file.appendFile(text);
}
