/** Bytes that are only ever added at the end. */
export interface ByteLog {
  append(bytes: Uint8Array): void;
  /** All bytes so far, not copied. They stay as they are whatever is appended later. */
  view(): Uint8Array;
}

const firstCapacity = 16 * 1024;

/** Doubles its memory when it is full, so that adding costs what is added, and a view nothing. */
export function createByteLog(): ByteLog {
  let buffer = new Uint8Array(firstCapacity);
  let length = 0;
  return {
    append(bytes) {
      if (length + bytes.length > buffer.length) {
        const larger = new Uint8Array(Math.max(2 * buffer.length, length + bytes.length));
        larger.set(buffer.subarray(0, length));
        buffer = larger;
      }
      buffer.set(bytes, length);
      length += bytes.length;
    },
    view: () => buffer.subarray(0, length),
  };
}
