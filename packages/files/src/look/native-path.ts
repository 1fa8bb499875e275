import { isUtf8 } from "node:buffer";

/**
 * Names and texts of the file system are bytes. In a string each byte that is not UTF-8 stands as a lone surrogate, U+DC80
 * to U+DCFF, as Python's surrogateescape has it: so `join` and `===` hold, and nothing is lost on the way back.
 */
export function fromNative(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  return bytes.toString("latin1").replace(utf8OrByte, (part) => {
    const own = Buffer.from(part, "latin1");
    return isUtf8(own) ? own.toString() : String.fromCharCode(0xdc00 + part.charCodeAt(0));
  });
}

/** Reverses `fromNative`. */
export function toNative(text: string): string | Buffer {
  if (text.isWellFormed()) return text;
  const parts = text.split(/([\udc80-\udcff])/u);
  return Buffer.concat(
    parts.map((part, index) => (index % 2 === 1 ? Buffer.from([part.charCodeAt(0) - 0xdc00]) : Buffer.from(part))),
  );
}

/** One character in UTF-8, as far as its length tells, or else one byte. */
const utf8OrByte =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;
