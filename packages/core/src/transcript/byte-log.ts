/** Bytes that are appended, and removed only from the end. */
export interface ByteLog {
  /** How many there are. */
  readonly length: number;
  append(bytes: Uint8Array): void;
  /** Takes back the last so many, which nobody was sent: a view of them is of no use any more. */
  takeBack(count: number): void;
  /** All bytes so far, or those from `start` to `end`, not copied. They stay as they are whatever is appended later. */
  view(start?: number, end?: number): Uint8Array;
}

const firstCapacity = 2 * 1024; // what a thread without AGENTS.md begins with is less, and a process may hold thousands

/** Doubles its memory when it is full, so that adding costs what is added, and a view nothing. */
export function createByteLog(): ByteLog {
  let buffer = new Uint8Array(firstCapacity);
  const log: { -readonly [Key in keyof ByteLog]: ByteLog[Key] } = {
    length: 0,
    append(bytes) {
      const length = log.length + bytes.length;
      if (length > buffer.length) {
        const larger = new Uint8Array(Math.max(2 * buffer.length, length));
        larger.set(buffer.subarray(0, log.length));
        buffer = larger;
      }
      buffer.set(bytes, log.length);
      log.length = length;
    },
    takeBack: (count) => void (log.length -= count),
    view: (start = 0, end = log.length) => buffer.subarray(start, end),
  };
  return log;
}
