const [quote, comma] = [0x22, 0x2c];
const encoder = new TextEncoder();
const beforeTime = encoder.encode('{"timestamp":"');
const beforeType = encoder.encode('"type":"');
const beforeOrdinal = encoder.encode('"ordinal":');

export type LineTypeTest = (bytes: Uint8Array, at: number) => boolean;

/**
 * Tells lines of these types, by where they begin in `bytes`, without a copy of any: a large file has very many. A line that
 * begins otherwise than ours and those of the Codex CLI is of none.
 */
export function createLineTypeTest(...types: readonly string[]): LineTypeTest {
  const names = types.map((type) => encoder.encode(`${type}"`));
  return (bytes, at) => {
    const start = findType(bytes, at);
    return start !== null && names.some((name) => hasAt(bytes, start, name));
  };
}

/** Where the name of the type stands. */
function findType(bytes: Uint8Array, at: number): number | null {
  if (!hasAt(bytes, at, beforeTime)) return null;
  let key = bytes.indexOf(quote, at + beforeTime.length) + 2; // behind `",`
  if (hasAt(bytes, key, beforeOrdinal)) key = bytes.indexOf(comma, key) + 1;
  return hasAt(bytes, key, beforeType) ? key + beforeType.length : null;
}

function hasAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let index = 0; index < wanted.length; index++) if (bytes[at + index] !== wanted[index]) return false;
  return true;
}
