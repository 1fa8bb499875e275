import { chmodSync, closeSync, constants, fstatSync, openSync } from "node:fs";
import { platform } from "node:os";
import { toNative } from "@unroll/files";

/** Opens a folder without a right to read it. */
const openPath = 0o10_000_000;

/**
 * Works in a folder by a path that leads to it whatever has its name meanwhile; elsewhere than on Linux by its name. Where
 * its owner, who we are, has locked himself out, he is let in for the moment. Throws when `path` is no folder.
 */
export function withFolder<Result>(path: string, work: (place: string) => Result): Result {
  const access = platform() === "linux" ? openPath : constants.O_RDONLY;
  const fd = openSync(toNative(path), access | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const place = platform() === "linux" ? `/proc/self/fd/${fd}` : path;
    const mode = fstatSync(fd).mode & 0o7777;
    const isOpened = (mode & 0o700) !== 0o700 && changeMode(place, mode | 0o700);
    try {
      return work(place);
    } finally {
      if (isOpened) changeMode(place, mode);
    }
  } finally {
    closeSync(fd);
  }
}

function changeMode(path: string, mode: number): boolean {
  try {
    chmodSync(toNative(path), mode);
    return true;
  } catch {
    return false;
  }
}
