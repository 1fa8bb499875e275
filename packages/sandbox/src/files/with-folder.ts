import { chmodSync, closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { platform } from "node:os";
import { toNative } from "@unroll/files";

/** Opens a folder without a right to read it. */
const openPath = 0o10_000_000;

/** A folder that is held open. */
export interface HeldFolder {
  /** A path that leads to it whatever has its name meanwhile; elsewhere than on Linux its name. */
  readonly place: string;
  readonly stats: Stats;
}

/** Holds a folder open while `work` runs. Throws a system error when `path` is no folder, or is a link to one. */
export function holdFolder<Result>(path: string, work: (folder: HeldFolder) => Result): Result {
  const access = platform() === "linux" ? openPath : constants.O_RDONLY;
  const fd = openSync(toNative(path), access | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    return work({ place: platform() === "linux" ? `/proc/self/fd/${fd}` : path, stats: fstatSync(fd) });
  } finally {
    closeSync(fd);
  }
}

/**
 * Works in a folder that is held open. Where its owner, who we are, has locked himself out, he is let in for the moment.
 * Throws when `path` is no folder.
 */
export function withFolder<Result>(path: string, work: (place: string) => Result): Result {
  return holdFolder(path, ({ place, stats }) => {
    const mode = stats.mode & 0o7777;
    const isOpened = (mode & 0o700) !== 0o700 && changeMode(place, mode | 0o700);
    try {
      return work(place);
    } finally {
      if (isOpened) changeMode(place, mode);
    }
  });
}

/** False where the system refuses it: the folder belongs to somebody else, or is gone. */
export function changeMode(path: string, mode: number): boolean {
  try {
    chmodSync(toNative(path), mode);
    return true;
  } catch {
    return false;
  }
}
