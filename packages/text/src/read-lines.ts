import { countWholeBytes, findBoundaryAfter } from "./find-boundary.ts";

/** A line without its line break, or the two ends of one that is too long to keep. */
export type Line =
  | { readonly type: "line"; readonly text: string }
  | { readonly type: "oversized"; readonly head: string; readonly tail: string; readonly bytes: number };

const newline = 10;
const empty = new Uint8Array();
/** How much of each end of an oversized line is kept, in bytes. */
const endBytes = 1_024;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Splits a stream into lines of UTF-8; holds at most `maxBytes` of one. A last line without a line break counts.
 * `onOversized` gets the beginning of an oversized line as soon as it is too long, because its end may never come.
 */
export async function* readLines(
  source: AsyncIterable<Uint8Array | string>,
  maxBytes: number,
  onOversized: (head: string) => void = () => {},
): AsyncGenerator<Line, void> {
  const line = createLineBuffer(maxBytes, onOversized);
  for await (const piece of source) {
    const chunk = typeof piece === "string" ? encoder.encode(piece) : piece;
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      line.add(chunk.subarray(start, end));
      yield line.take();
      start = end + 1;
    }
    line.add(chunk.subarray(start));
  }
  if (!line.isEmpty()) yield line.take();
}

interface LineBuffer {
  add(piece: Uint8Array): void;
  isEmpty(): boolean;
  take(): Line;
}

function createLineBuffer(maxBytes: number, onOversized: (head: string) => void): LineBuffer {
  let pieces: Uint8Array[] = [];
  let bytes = 0;

  return {
    add(piece) {
      const wasOversized = bytes > maxBytes;
      bytes += piece.length;
      pieces.push(piece);
      if (bytes <= maxBytes) return;
      const ends = keepEnds(join(pieces));
      pieces = [...ends];
      if (!wasOversized) onOversized(readHead(ends[0]));
    },
    isEmpty: () => bytes === 0,
    take() {
      const [head = empty, tail = empty] = pieces;
      const line: Line =
        bytes > maxBytes
          ? { type: "oversized", head: readHead(head), tail: readTail(tail), bytes }
          : { type: "line", text: decoder.decode(join(pieces)) };
      pieces = [];
      bytes = 0;
      return line;
    },
  };
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const [only = empty] = pieces;
  if (pieces.length <= 1) return only;
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Copies, so that the memory of the whole is free. */
function keepEnds(whole: Uint8Array): readonly [Uint8Array, Uint8Array] {
  return [whole.slice(0, endBytes), whole.slice(-endBytes)];
}

function readHead(head: Uint8Array): string {
  return decoder.decode(head.subarray(0, countWholeBytes(head)));
}

function readTail(tail: Uint8Array): string {
  return decoder.decode(tail.subarray(findBoundaryAfter(tail, 0)));
}
