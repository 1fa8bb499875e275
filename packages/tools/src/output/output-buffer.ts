import { countBytes } from "@unroll/text";
import type { CapturedOutput } from "@unroll/protocol";

/** The head and the tail of what a command writes, in bounded memory. */
export interface OutputBuffer {
  write(text: string): void;
  read(): CapturedOutput;
}

interface Piece {
  readonly text: string;
  readonly bytes: number;
}

/** Small pieces are joined up to this many bytes, so that their number stays small too. */
const pieceBytes = 4_096;

/** Keeps `maxBytes` of UTF-8 and, as it keeps whole pieces, up to two pieces more. */
export function createOutputBuffer(maxBytes: number): OutputBuffer {
  let head: Piece = { text: "", bytes: 0 };
  const tail: Piece[] = [];
  let tailBytes = 0;
  let totals = { bytes: 0, newlines: 0 };
  let endsInNewline = true;

  function write(text: string): void {
    if (text === "") return;
    const bytes = countBytes(text);
    totals = { bytes: totals.bytes + bytes, newlines: totals.newlines + countNewlines(text) };
    endsInNewline = text.endsWith("\n");
    if (head.bytes < maxBytes / 2) head = { text: head.text + text, bytes: head.bytes + bytes };
    else writeTail({ text, bytes });
  }

  function writeTail(piece: Piece): void {
    const last = tail.at(-1);
    if (last === undefined || last.bytes >= pieceBytes) tail.push(piece);
    else tail.splice(-1, 1, { text: last.text + piece.text, bytes: last.bytes + piece.bytes });
    tailBytes += piece.bytes;
    for (let [oldest] = tail; oldest && tailBytes - oldest.bytes >= maxBytes / 2; [oldest] = tail) {
      tailBytes -= oldest.bytes;
      tail.shift();
    }
  }

  return {
    write,
    read() {
      const omittedBytes = totals.bytes - head.bytes - tailBytes;
      const gap = omittedBytes === 0 ? "" : `\n[... ${omittedBytes} bytes left out ...]\n`;
      const end = tail.map(({ text }) => text).join("");
      return {
        text: head.text + gap + end,
        totalBytes: totals.bytes,
        totalLines: totals.newlines + (endsInNewline ? 0 : 1),
        omittedBytes,
        omittedLines: totals.newlines - countNewlines(head.text) - countNewlines(end),
      };
    },
  };
}

function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
