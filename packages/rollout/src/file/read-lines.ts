import { ThreadStoreError } from "../thread-store-error.ts";

/** A file to read from; `FileHandle` is one. */
export interface ReadableFile {
  /** Reads up to `length` bytes from `position` of the file on to `offset` of the buffer; 0 at its end. */
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
}

/** A line of a file, without its end. */
export interface FileLine {
  /** From 1 on. */
  readonly number: number;
  /** Where it begins in the file, in bytes. */
  readonly start: number;
  /** Valid until the next lines are requested; then the buffer is reused. */
  readonly bytes: Uint8Array;
  /** Whether its end was there. */
  readonly isWhole: boolean;
}

export interface LineOptions {
  /**
   * Selects whole lines: the line begins at `at` in `bytes`, and at `start` in the file. Other lines are counted and
   * cost nothing more. Absent: all.
   */
  readonly wants?: (bytes: Uint8Array, at: number, start: number) => boolean;
  /** Where to begin: a line and its number. Absent: at the first one. */
  readonly from?: { readonly start: number; readonly number: number };
  /** The size of the file if it is known, in bytes: a small one is read into a small buffer. Absent: unknown. */
  readonly size?: number;
}

const newline = 0x0a;
const chunkBytes = 128 * 1024;
/** Longer than any line of a thread, pictures included: a file with such a line is a hole, a device or somebody else's. */
const mostLineBytes = 256 * 1024 * 1024;

/**
 * The lines, some at a time, in memory of a few chunks or of the longest line. Returns up to where the file has whole lines.
 * Throws `ThreadStoreError` at a line of more than 256 MiB.
 */
export async function* readLines(
  file: ReadableFile,
  options: LineOptions = {},
): AsyncGenerator<readonly FileLine[], number> {
  const firstBytes = Math.min(chunkBytes, (options.size ?? chunkBytes) + 1); // the end is found in what is left of it
  let buffer: Uint8Array = new Uint8Array(Buffer.allocUnsafeSlow(firstBytes).buffer); // only what was read into it is looked at
  let [held, start, number] = [0, options.from?.start ?? 0, options.from?.number ?? 1];
  for (;;) {
    if (held === mostLineBytes) {
      const message = `line ${number} is longer than 256 MiB: no thread has such a line.`;
      throw new ThreadStoreError("thread_unreadable", message);
    }
    if (held === buffer.length) buffer = enlarge(buffer);
    const { bytesRead } = await file.read(buffer, held, buffer.length - held, start + held);
    if (bytesRead === 0) break;
    const searched = held;
    held += bytesRead;
    const cut = cutLines(buffer.subarray(0, held), { ...options, searched, start, number });
    if (cut.lines.length > 0) yield cut.lines;
    buffer.copyWithin(0, cut.taken, held);
    held -= cut.taken;
    start += cut.taken;
    number += cut.count;
  }
  if (held > 0) yield [{ number, start, bytes: buffer.subarray(0, held), isWhole: false }];
  return start;
}

interface CutOptions extends LineOptions {
  /** Up to here there is no end of a line. */
  readonly searched: number;
  /** Where the first line begins in the file, in bytes. */
  readonly start: number;
  readonly number: number;
}

interface CutLines {
  readonly lines: readonly FileLine[];
  /** All lines, including those that were not wanted. */
  readonly count: number;
  /** In bytes. */
  readonly taken: number;
}

function cutLines(bytes: Uint8Array, { wants = () => true, searched, start, number }: CutOptions): CutLines {
  const lines: FileLine[] = [];
  let [taken, count] = [0, 0];
  for (let end = bytes.indexOf(newline, searched); end !== -1; end = bytes.indexOf(newline, taken)) {
    if (wants(bytes, taken, start + taken)) {
      lines.push({ number: number + count, start: start + taken, bytes: bytes.subarray(taken, end), isWhole: true });
    }
    count += 1;
    taken = end + 1;
  }
  return { lines, count, taken };
}

function enlarge(buffer: Uint8Array): Uint8Array {
  const larger = new Uint8Array(2 * buffer.length);
  larger.set(buffer);
  return larger;
}
