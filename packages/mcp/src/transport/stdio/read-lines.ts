import { Buffer } from "node:buffer";
import { countWholeBytes, findBoundaryAfter } from "@unroll/text";

/** A line without its line break, or the two ends of one that is too long to keep. */
export type Line =
  | { readonly type: "line"; readonly text: string }
  | { readonly type: "oversized"; readonly head: string; readonly tail: string; readonly bytes: number };

const newline = 10;
const empty = Buffer.alloc(0);
/** How much of each end of an oversized line is kept, in bytes. */
const endBytes = 1_024;

/**
 * Splits a stream into lines; holds at most `maxBytes` of one. A last line without a line break counts. `onOversized` is
 * told the beginning of an oversized line as soon as it is one: its end may never come.
 */
export async function* readLines(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
  onOversized: (head: string) => void = () => {},
): AsyncGenerator<Line, void> {
  const line = createLineBuffer(maxBytes, onOversized);
  for await (const chunk of source) {
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
  add(piece: Buffer): void;
  isEmpty(): boolean;
  take(): Line;
}

function createLineBuffer(maxBytes: number, onOversized: (head: string) => void): LineBuffer {
  let pieces: readonly Buffer[] = [];
  let bytes = 0;

  return {
    add(piece) {
      const wasOversized = bytes > maxBytes;
      bytes += piece.length;
      pieces = [...pieces, piece];
      if (bytes <= maxBytes) return;
      const ends = keepEnds(Buffer.concat(pieces));
      pieces = ends;
      if (!wasOversized) onOversized(readHead(ends[0]));
    },
    isEmpty: () => bytes === 0,
    take() {
      const [head = empty, tail = empty] = pieces;
      const line: Line =
        bytes > maxBytes
          ? { type: "oversized", head: readHead(head), tail: readTail(tail), bytes }
          : { type: "line", text: Buffer.concat(pieces).toString() };
      pieces = [];
      bytes = 0;
      return line;
    },
  };
}

/** Copies, so that the memory of the whole is free. */
function keepEnds(whole: Buffer): readonly [Buffer, Buffer] {
  return [Buffer.from(whole.subarray(0, endBytes)), Buffer.from(whole.subarray(-endBytes))];
}

function readHead(head: Buffer): string {
  return head.subarray(0, countWholeBytes(head)).toString();
}

function readTail(tail: Buffer): string {
  return tail.subarray(findBoundaryAfter(tail, 0)).toString();
}
