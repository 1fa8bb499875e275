import { closeSync, openSync, readSync } from "node:fs";

/** What is asked of the kernel at once. */
const reserveBytes = 512;

/**
 * Bytes for ids, from the kernel: loading `node:crypto` takes a third of what Node itself takes to start, and a short run
 * needs nothing else of it. Where there is no `/dev/urandom`, from the web's `crypto`, which loads it.
 */
export function createRandomBytes(): (count: number) => Uint8Array {
  let reserve: Uint8Array = new Uint8Array();
  return (count) => {
    const missing = Math.max(count, reserveBytes);
    if (reserve.length < count) reserve = readKernel(missing) ?? crypto.getRandomValues(new Uint8Array(missing));
    const taken = reserve.subarray(0, count);
    reserve = reserve.subarray(count);
    return taken;
  };
}

function readKernel(count: number): Uint8Array | null {
  try {
    const file = openSync("/dev/urandom", "r");
    try {
      const bytes = new Uint8Array(count);
      return readSync(file, bytes) === count ? bytes : null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}
