import type { Clock } from "@unroll/flow";

/** Of `node:fs`, which Node has loaded by itself: an import of it would count for whoever imports the package. */
type FileReads = Pick<typeof import("node:fs"), "openSync" | "readSync" | "closeSync">;

/** What is asked of the kernel at once. */
const reserveBytes = 512;

/** Gives the ids of a process: UUIDs that come in the order of their time. */
export function createIds(now: Clock["now"], files: FileReads): () => string {
  const takeBytes = createRandomBytes(files);
  return () => toUuidV7(now(), takeBytes(16));
}

/**
 * Bytes for ids, from the kernel: loading `node:crypto` takes a third of what Node itself takes to start, and a short run
 * needs nothing else of it. Where there is no `/dev/urandom`, from the web's `crypto`, which loads it.
 */
function createRandomBytes(files: FileReads): (count: number) => Uint8Array {
  let reserve: Uint8Array = new Uint8Array();
  return (count) => {
    const missing = Math.max(count, reserveBytes);
    if (reserve.length < count) reserve = readKernel(files, missing) ?? crypto.getRandomValues(new Uint8Array(missing));
    const taken = reserve.subarray(0, count);
    reserve = reserve.subarray(count);
    return taken;
  };
}

function readKernel({ openSync, readSync, closeSync }: FileReads, count: number): Uint8Array | null {
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

/** A UUID of version 7 (RFC 9562, 5.7) of a time in ms since 1970 and 16 random bytes. Not every runtime brings one. */
function toUuidV7(now: number, random: Uint8Array): string {
  const bytes = Buffer.from(random);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
