const encoder = new TextEncoder();

/** How many bytes the text takes in UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/** The longest start of the text that fits into `maxBytes` bytes of UTF-8, never ending in half a character. */
export function takeUtf8(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  return text.slice(0, encoder.encodeInto(text, new Uint8Array(maxBytes)).read);
}

/**
 * The text of UTF-8 bytes, without byte order mark; null when they are none, or hold a NUL as only binary files do.
 * With `partial` the bytes may end in the middle of a character, which is left out then.
 */
export function decodeUtf8(bytes: Uint8Array, extent: "whole" | "partial"): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: extent === "partial" });
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
