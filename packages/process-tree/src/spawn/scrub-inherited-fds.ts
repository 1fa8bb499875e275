import { closeSync, readFileSync, readdirSync } from "node:fs";

const closeOnExec = 0o2000000;

/**
 * Closes every descriptor above 2 that this process inherited and would pass on. Node marks only
 * low ones close-on-exec, and one open folder outside the writable roots is a way out of any
 * sandbox. Call it once, first in the program, before anything is opened. `keep` names descriptors
 * that you need, such as `NODE_CHANNEL_FD`. Returns what it closed. Works on Linux; elsewhere it
 * does nothing.
 */
export function scrubInheritedFds(keep: readonly number[]): readonly number[] {
  return listDescriptors().filter((fd) => fd > 2 && !keep.includes(fd) && isInheritable(fd) && close(fd));
}

function listDescriptors(): readonly number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

function isInheritable(fd: number): boolean {
  try {
    const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    // It was the descriptor of the listing itself.
    return false;
  }
}

function close(fd: number): boolean {
  try {
    closeSync(fd);
    return true;
  } catch {
    return false;
  }
}
