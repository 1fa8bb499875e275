import { bytesPerToken, countBytes, findBoundaryAfter, findBoundaryBefore } from "@unroll/text";

/** How long a text is, or was before parts of it were dropped. */
export interface TextSize {
  /** In UTF-8. */
  readonly bytes: number;
  readonly lines: number;
}

const newline = 10;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** How many bytes of text a token budget holds; a token is counted as 4 bytes. */
export function toByteBudget(tokens: number): number {
  return tokens * bytesPerToken;
}

/**
 * The text in at most `maxBytes` of UTF-8, always well-formed. A longer one keeps its head and its tail, cut between
 * lines where lines are short enough, else between characters, around a line that tells how much is missing of `whole`
 * (which is `text` unless something was dropped before). A budget too small for that line keeps the head alone.
 */
export function capText(text: string, maxBytes: number, whole?: TextSize): string {
  return capAndCount(text, maxBytes, whole).text;
}

/** As `capText`, with what is missing; null: nothing is. */
export function capAndCount(
  text: string,
  maxBytes: number,
  whole?: TextSize,
): { readonly text: string; readonly missing: TextSize | null } {
  const bytes = encoder.encode(text);
  if (bytes.length <= maxBytes) return { text: text.toWellFormed(), missing: null };
  const total = {
    bytes: Math.max(whole?.bytes ?? 0, bytes.length),
    lines: Math.max(whole?.lines ?? 0, countLines(bytes)),
  };
  const room = maxBytes - countBytes(toMarker(total));
  if (room < 0) {
    const start = bytes.subarray(0, findBoundaryBefore(bytes, maxBytes));
    return { text: decoder.decode(start), missing: subtract(total, start) };
  }

  const head = bytes.subarray(0, findHeadEnd(bytes, Math.floor(room / 2)));
  const tail = bytes.subarray(findTailStart(bytes, bytes.length - (room - head.length)));
  const missing = subtract(subtract(total, head), tail);
  return { text: decoder.decode(head) + toMarker(missing) + decoder.decode(tail), missing };
}

function subtract({ bytes, lines }: TextSize, kept: Uint8Array): TextSize {
  return { bytes: bytes - kept.length, lines: Math.max(lines - countLines(kept), 0) };
}

/** Its length grows with the figures: the marker for the whole text is as long as any can be. */
function toMarker({ bytes, lines }: TextSize): string {
  const tokens = Math.ceil(bytes / bytesPerToken);
  return `\n[... left out here: ${lines} lines, ${bytes} bytes, about ${tokens} tokens ...]\n`;
}

/** The end of the last line before `limit`, unless that gives up more than half. */
function findHeadEnd(bytes: Uint8Array, limit: number): number {
  const lineEnd = bytes.subarray(0, limit).lastIndexOf(newline);
  return lineEnd >= limit / 2 ? lineEnd : findBoundaryBefore(bytes, limit);
}

/** The start of the first line from `limit` on, unless that gives up more than half. */
function findTailStart(bytes: Uint8Array, limit: number): number {
  const lineStart = bytes.indexOf(newline, Math.max(limit - 1, 0)) + 1;
  if (lineStart > 0 && lineStart - limit <= (bytes.length - limit) / 2) return lineStart;
  return findBoundaryAfter(bytes, limit);
}

/** A last line without a line break counts. */
function countLines(bytes: Uint8Array): number {
  let count = bytes.length > 0 && bytes.at(-1) !== newline ? 1 : 0;
  for (const byte of bytes) if (byte === newline) count += 1;
  return count;
}
