import type { BigIntStats } from "node:fs";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";

/** A file as it was opened: the numbers tell it from every other one, whatever its path leads to later. */
export interface OpenedFile {
  /** With every link followed. */
  readonly realPath: string;
  /** Numbers of the file system, in decimal. */
  readonly device: string;
  readonly inode: string;
  /** How many names it has: hard links. */
  readonly links: number;
}

/** An open file; the caller closes `handle`. */
export interface RegularFile {
  readonly handle: FileHandle;
  readonly opened: OpenedFile;
  /** In bytes. */
  readonly size: number;
}

/** How often a path is looked at again that led elsewhere in the meantime. */
const mostTries = 32;

/** Linux appends this to the name of an opened file that has been removed. A file may also be named like that. */
const removedMark = " (deleted)";

/**
 * Opens a file to read it, and finds its real path: never one that the path led to before or after.
 * Does not wait for a pipe. Null: it is not a regular file. Throws system errors, and `ESTALE` for
 * a path that keeps changing.
 */
export async function openRegularFile(path: string): Promise<RegularFile | null> {
  for (let count = 0; count < mostTries; count += 1) {
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = await look(handle, path).catch(async (error: unknown) => {
      await handle.close();
      throw error;
    });
    if (found.type === "regular") return { handle, opened: found.opened, size: found.size };
    await handle.close();
    if (found.type === "irregular") return null;
  }
  throw Object.assign(new Error(`${path} was replaced while it was opened`), { code: "ESTALE" });
}

type Look =
  | { readonly type: "regular"; readonly opened: OpenedFile; readonly size: number }
  | { readonly type: "irregular" | "moved" };

async function look(handle: FileHandle, path: string): Promise<Look> {
  const stats = await handle.stat({ bigint: true });
  if (!stats.isFile()) return { type: "irregular" };
  const realPath = await findRealPath(handle, path);
  if (realPath.endsWith(removedMark)) return { type: "moved" };
  // not `stat`: a link that is there by now would lead to the opened file again
  const there = await lstat(realPath, { bigint: true }).catch(() => null);
  if (there === null || !isSame(stats, there)) return { type: "moved" };
  const { dev: device, ino: inode, nlink } = stats;
  return {
    type: "regular",
    opened: { realPath, device: `${device}`, inode: `${inode}`, links: Number(nlink) },
    size: Number(stats.size),
  };
}

/** Linux knows it. Elsewhere a folder of the path that is swapped several times at the right moments can hide it. */
async function findRealPath({ fd }: FileHandle, path: string): Promise<string> {
  return readlink(`/proc/self/fd/${fd}`).catch(() => realpath(path));
}

function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}
