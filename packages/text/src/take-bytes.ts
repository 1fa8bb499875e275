const encoder = new TextEncoder();

/** The longest start of the text that fits into `maxBytes` bytes of UTF-8, never ending in half a character. */
export function takeStart(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const room = new Uint8Array(Math.max(Math.min(maxBytes, text.length * 3), 0));
  return text.slice(0, encoder.encodeInto(text, room).read);
}

/** The longest end of the text that fits into `maxBytes` bytes of UTF-8, never beginning in half a character. */
export function takeEnd(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  let start = text.length;
  let room = maxBytes;
  while (start > 0) {
    const code = readCodePointBefore(text, start);
    room -= countUtf8(code);
    if (room < 0) break;
    start -= code > 0xffff ? 2 : 1;
  }
  return text.slice(start);
}

function readCodePointBefore(text: string, at: number): number {
  const pair = text.codePointAt(at - 2) ?? 0;
  return pair > 0xffff ? pair : text.charCodeAt(at - 1);
}

/** Half a surrogate pair is written as U+FFFD, in 3 bytes. */
function countUtf8(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code > 0xffff ? 4 : 3;
}
