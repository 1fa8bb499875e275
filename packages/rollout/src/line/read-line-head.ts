/** The type of a line, from its first bytes. */
export interface LineHead {
  /** The line's type: `response_item`, `event_msg`, … */
  readonly type: string;
  /** The payload's type if the payload begins with it; else null. */
  readonly kind: string | null;
}

/** Our lines, and those of the Codex CLI. */
const head =
  /^\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"([a-z_]+)",(?:"ordinal":\d+,)?(?:"author":\{[^{}]*\},)?"payload":\{(?:"type":"([a-z_.]+)")?/;
const longestHead = 384;

/** Null: it begins otherwise. Costs the same however long the line is. */
export function readLineHead(line: Uint8Array): LineHead | null {
  const start = Buffer.from(line.buffer, line.byteOffset, Math.min(line.length, longestHead)).toString("latin1");
  const [, type, kind = null] = head.exec(start) ?? [];
  return type === undefined ? null : { type, kind };
}

/** Whether a line says by itself what is sent from here on: one that only tells a summary does not. */
export function beginsEpoch(line: Uint8Array): boolean {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.length);
  return readLineHead(line)?.type === "compacted" && bytes.includes('"replacement_history":[');
}

const [quote, comma] = [0x22, 0x2c];
const encoder = new TextEncoder();
const beforeTime = encoder.encode('{"timestamp":"');
const beforeType = encoder.encode('"type":"');
const beforeOrdinal = encoder.encode('"ordinal":');

type LineTypeTest = (bytes: Uint8Array, at: number) => boolean;

/**
 * Finds lines of these types by their place in `bytes`, without copying any: a large file has very many. A line that
 * does not begin like ours or the Codex CLI's has no type.
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
