import type { CapturedOutput } from "@unroll/protocol";
import { countWholeBytes, findBoundaryAfter } from "@unroll/text";

/** Keeps the beginning and the end of a command's output, in constant memory. */
export interface OutputCapture {
  write(bytes: Uint8Array): void;
  read(): CapturedOutput;
}

const newline = 10;

/** The first half of `maxBytes` holds the beginning; the second half is a ring buffer for the end. */
export function createOutputCapture(maxBytes: number): OutputCapture {
  const headSize = Math.floor(maxBytes / 2);
  const tailSize = maxBytes - headSize;
  let kept = Buffer.alloc(0);
  let totalBytes = 0;
  let newlines = 0;
  let endsInNewline = true;

  function write(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (kept.length === 0) kept = Buffer.allocUnsafe(maxBytes);
    newlines += countNewlines(bytes);
    endsInNewline = bytes[bytes.length - 1] === newline;

    const forHead = Math.min(Math.max(headSize - totalBytes, 0), bytes.length);
    kept.set(bytes.subarray(0, forHead), totalBytes < headSize ? totalBytes : 0);
    const lost = Math.max(bytes.length - forHead - tailSize, 0);
    writeTail(bytes.subarray(forHead + lost), totalBytes + forHead + lost - headSize);
    totalBytes += bytes.length;
  }

  function writeTail(bytes: Uint8Array, position: number): void {
    if (bytes.length === 0) return;
    const start = position % tailSize;
    const untilEnd = Math.min(bytes.length, tailSize - start);
    kept.set(bytes.subarray(0, untilEnd), headSize + start);
    kept.set(bytes.subarray(untilEnd), headSize);
  }

  function read(): CapturedOutput {
    const counts = { totalBytes, totalLines: newlines + (endsInNewline ? 0 : 1) };
    if (totalBytes <= maxBytes) {
      return { text: kept.toString("utf8", 0, totalBytes), ...counts, omittedBytes: 0, omittedLines: 0 };
    }

    const oldest = headSize + ((totalBytes - headSize) % Math.max(tailSize, 1));
    const wholeTail = Buffer.concat([kept.subarray(oldest), kept.subarray(headSize, oldest)]);
    const tail = wholeTail.subarray(findBoundaryAfter(wholeTail, 0));
    const wholeHead = kept.subarray(0, headSize);
    const head = wholeHead.subarray(0, countWholeBytes(wholeHead));
    const omittedBytes = totalBytes - head.length - tail.length;
    return {
      text: `${head.toString()}\n[... ${omittedBytes} bytes left out ...]\n${tail.toString()}`,
      ...counts,
      omittedBytes,
      omittedLines: newlines - countNewlines(head) - countNewlines(tail),
    };
  }

  return { write, read };
}

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === newline) count += 1;
  return count;
}
