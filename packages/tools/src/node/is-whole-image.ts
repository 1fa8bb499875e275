/** The image types that models take, by the names of `image-size`. */
export type ImageType = "png" | "jpg" | "gif" | "webp";

/**
 * Whether the bytes reach the end marker of the format. Bytes behind it do not matter, and pixels are not checked. Expects
 * bytes that begin like an image of that type.
 */
export function isWholeImage(type: ImageType, bytes: Buffer): boolean {
  switch (type) {
    case "png":
      return hasPngEnd(bytes);
    case "jpg":
      return hasJpegEnd(bytes);
    case "gif":
      return hasGifEnd(bytes);
    case "webp":
      // RIFF: the size at offset 4 counts the bytes behind it.
      return bytes.length >= 12 && bytes.length >= bytes.readUInt32LE(4) + 8;
  }
}

/** Chunks of length, type, data and checksum, up to `IEND` (PNG specification, section 5.3). */
function hasPngEnd(bytes: Buffer): boolean {
  let at = 8;
  while (at + 12 <= bytes.length) {
    if (bytes.toString("latin1", at + 4, at + 8) === "IEND") return true;
    at += bytes.readUInt32BE(at) + 12;
  }
  return false;
}

/** Segments with a length up to the first scan (ITU T.81, annex B); in scans `FF D9` is the end and nothing else. */
function hasJpegEnd(bytes: Buffer): boolean {
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    if (bytes[at + 1] === 0xda) return bytes.includes("ffd9", at, "hex");
    at += bytes[at + 1] === 0xff ? 1 : bytes.readUInt16BE(at + 2) + 2;
  }
  return false;
}

/** Blocks behind the screen descriptor, up to the trailer `3B` (GIF89a specification, section 17 and following). */
function hasGifEnd(bytes: Buffer): boolean {
  let at = 13 + colourTableLength(bytes[10]);
  while (at < bytes.length) {
    const block = bytes[at];
    if (block === 0x3b) return true;
    if (block === 0x21) at = skipSubBlocks(bytes, at + 2);
    else if (block === 0x2c) at = skipSubBlocks(bytes, at + 11 + colourTableLength(bytes[at + 9]));
    else return false;
  }
  return false;
}

function colourTableLength(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

/** The offset behind the empty sub-block that ends them. */
function skipSubBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (let length = bytes[at]; length !== undefined && length > 0; length = bytes[at]) at += length + 1;
  return at + 1;
}
