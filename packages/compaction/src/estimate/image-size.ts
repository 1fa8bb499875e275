export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** In base64 characters: the size of a JPEG stands behind its metadata, which are rarely longer. */
const headLength = 4 * 48 * 1024;

/** The size in pixels that the head of a PNG, GIF, JPEG or WebP says; null for another kind, a link, or what is no image. */
export function readImageSize(url: string): ImageSize | null {
  const [, base64 = ""] = /^data:[^,]*;base64,([A-Za-z0-9+/]*)/.exec(url.slice(0, headLength)) ?? [];
  const bytes = decodeBase64(base64);
  return readPng(bytes) ?? readGif(bytes) ?? readWebp(bytes) ?? readJpeg(bytes);
}

function decodeBase64(text: string): DataView {
  const binary = atob(text.slice(0, text.length - (text.length % 4)));
  return new DataView(Uint8Array.from(binary, (character) => character.charCodeAt(0)).buffer);
}

function hasText(bytes: DataView, at: number, text: string): boolean {
  const found = Array.from({ length: text.length }, (_, n) => at + n < bytes.byteLength && bytes.getUint8(at + n));
  return found.every((byte, n) => byte === text.charCodeAt(n));
}

/** PNG, section 11.2.2: IHDR is the first chunk. */
function readPng(bytes: DataView): ImageSize | null {
  if (!hasText(bytes, 1, "PNG") || bytes.byteLength < 24) return null;
  return { width: bytes.getUint32(16), height: bytes.getUint32(20) };
}

function readGif(bytes: DataView): ImageSize | null {
  if (!hasText(bytes, 0, "GIF8") || bytes.byteLength < 10) return null;
  return { width: bytes.getUint16(6, true), height: bytes.getUint16(8, true) };
}

/** RFC 9649, section 2: `VP8 ` (lossy), `VP8L` (lossless), `VP8X` (extended). */
function readWebp(bytes: DataView): ImageSize | null {
  if (!hasText(bytes, 0, "RIFF") || !hasText(bytes, 8, "WEBP") || bytes.byteLength < 30) return null;
  if (hasText(bytes, 12, "VP8X")) {
    const read24 = (at: number): number => bytes.getUint16(at, true) + (bytes.getUint8(at + 2) << 16);
    return { width: read24(24) + 1, height: read24(27) + 1 };
  }
  if (hasText(bytes, 12, "VP8L")) {
    const bits = bytes.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  if (!hasText(bytes, 12, "VP8 ")) return null;
  return { width: bytes.getUint16(26, true) & 0x3fff, height: bytes.getUint16(28, true) & 0x3fff };
}

/** ITU T.81, annex B: segments, until the one that begins a frame. */
function readJpeg(bytes: DataView): ImageSize | null {
  if (bytes.byteLength < 4 || bytes.getUint16(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= bytes.byteLength && bytes.getUint8(at) === 0xff) {
    const marker = bytes.getUint8(at + 1);
    if (isFrame(marker)) return { height: bytes.getUint16(at + 5), width: bytes.getUint16(at + 7) };
    at += 2 + bytes.getUint16(at + 2);
  }
  return null;
}

/** SOF0 to SOF15, without the tables (DHT, JPG, DAC) that share their range. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
