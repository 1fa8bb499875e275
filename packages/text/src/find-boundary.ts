/** A character of UTF-8 (RFC 3629) has at most this many bytes after its first. */
const mostContinuations = 3;

/**
 * The last place up to `at` where UTF-8 bytes can be cut without cutting a character. In bytes that are not UTF-8:
 * `at`.
 */
export function findBoundaryBefore(bytes: Uint8Array, at: number): number {
  for (let back = 0; back <= Math.min(mostContinuations, at); back += 1) {
    if (!isContinuation(bytes[at - back])) return at - back;
  }
  return at;
}

/**
 * The first place from `at` on where UTF-8 bytes can be cut without cutting a character. In bytes that are not UTF-8:
 * `at`.
 */
export function findBoundaryAfter(bytes: Uint8Array, at: number): number {
  for (let on = 0; on <= mostContinuations; on += 1) {
    if (!isContinuation(bytes[at + on])) return at + on;
  }
  return at;
}

/** How many of the bytes can be decoded now: a character whose rest has not come yet is left for the next piece. */
export function countWholeBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(mostContinuations, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return countCharacterBytes(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** The length in bytes of the character that starts with this byte. */
function countCharacterBytes(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}
