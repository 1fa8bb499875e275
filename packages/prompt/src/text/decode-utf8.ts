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
