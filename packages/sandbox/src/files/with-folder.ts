import { chmodSync, closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { platform } from "node:os";
import { toNative } from "@unroll/files";

/** Opens a folder without the right to read it. */
const openPath = 0o10_000_000;

/** A folder that is held open. */
export interface HeldFolder {
  /**
   * A path that leads to it even if its name is given to another folder. On systems other than
   * Linux, its name.
   */
  readonly place: string;
  readonly stats: Stats;
}

/** Holds a folder open while `work` runs. Throws a system error if `path` is a link or not a folder. */
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
 * Works in a folder that is held open. If we own it but have no access, we add our access for a
 * moment. Throws if `path` is not a folder.
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

/** False if the system refuses: the folder belongs to another user, or was deleted. */
export function changeMode(path: string, mode: number): boolean {
  try {
    chmodSync(toNative(path), mode);
    return true;
  } catch {
    return false;
  }
}
