import type { FileHandle } from "node:fs/promises";

/** A line of a file, without its end. */
export interface FileLine {
  /** From 1 on. */
  readonly number: number;
  /** Where it begins in the file, in bytes. */
  readonly start: number;
  /** As long as the next lines are not asked for: then other bytes stand there. */
  readonly bytes: Uint8Array;
  /** Whether its end was there. */
  readonly isWhole: boolean;
}

const newline = 0x0a;
const chunkBytes = 256 * 1024;

/** All lines, some at a time, in memory of a few chunks or of the longest line. */
export async function* readLines(file: FileHandle): AsyncGenerator<readonly FileLine[], void> {
  let buffer: Uint8Array = new Uint8Array(chunkBytes);
  let [held, start, number] = [0, 0, 1];
  for (;;) {
    if (held === buffer.length) buffer = enlarge(buffer);
    const { bytesRead } = await file.read(buffer, held, buffer.length - held, start + held);
    if (bytesRead === 0) break;
    const searched = held;
    held += bytesRead;
    const lines = cutLines(buffer.subarray(0, held), { searched, start, number });
    const last = lines.at(-1);
    if (last === undefined) continue;
    yield lines;
    const taken = last.start + last.bytes.length + 1 - start;
    buffer.copyWithin(0, taken, held);
    held -= taken;
    start += taken;
    number = last.number + 1;
  }
  if (held > 0) yield [{ number, start, bytes: buffer.subarray(0, held), isWhole: false }];
}

interface CutOptions {
  /** Up to here there is no end of a line. */
  readonly searched: number;
  /** Of the first line. */
  readonly start: number;
  readonly number: number;
}

function cutLines(bytes: Uint8Array, { searched, start, number }: CutOptions): readonly FileLine[] {
  const lines: FileLine[] = [];
  let at = 0;
  for (let end = bytes.indexOf(newline, searched); end !== -1; end = bytes.indexOf(newline, at)) {
    lines.push({
      number: number + lines.length,
      start: start + at,
      bytes: bytes.subarray(at, end),
      isWhole: true,
    });
    at = end + 1;
  }
  return lines;
}

function enlarge(buffer: Uint8Array): Uint8Array {
  const larger = new Uint8Array(2 * buffer.length);
  larger.set(buffer);
  return larger;
}
