const quote = 0x22;
const backslash = 0x5c;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);
const space = new Set([0x20, 0x09, 0x0a, 0x0d]);
const comma = 0x2c;

/** The offset of the first byte at or after `at` that is not white space. */
export function skipSpace(bytes: Buffer, at: number): number {
  let end = at;
  while (space.has(bytes[end] ?? 0)) end += 1;
  return end;
}

/**
 * The offset behind the JSON value that starts at `at`. It finds where the value ends; whether it is valid inside is
 * for JSON.parse to say. Throws SyntaxError when the bytes end first.
 */
export function skipValue(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first === quote) return skipString(bytes, at);
  const end = opening.has(first) ? skipNested(bytes, at) : skipScalar(bytes, at);
  if (end === at) throw new SyntaxError(`A JSON value is missing at byte ${at}`);
  return end;
}

function skipString(bytes: Buffer, at: number): number {
  let end = bytes.indexOf(quote, at + 1);
  while (end !== -1 && isEscaped(bytes, end)) end = bytes.indexOf(quote, end + 1);
  if (end === -1) throw new SyntaxError(`The JSON string at byte ${at} does not end`);
  return end + 1;
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let start = at;
  while (bytes[start - 1] === backslash) start -= 1;
  return (at - start) % 2 === 1;
}

function skipNested(bytes: Buffer, at: number): number {
  let depth = 0;
  for (let end = at; end < bytes.length; end += 1) {
    const byte = bytes[end] ?? 0;
    if (byte === quote) end = skipString(bytes, end) - 1;
    else if (opening.has(byte)) depth += 1;
    else if (closing.has(byte) && --depth === 0) return end + 1;
  }
  throw new SyntaxError(`The JSON value at byte ${at} does not end`);
}

function skipScalar(bytes: Buffer, at: number): number {
  let end = at;
  while (end < bytes.length && !isScalarEnd(bytes[end] ?? 0)) end += 1;
  return end;
}

function isScalarEnd(byte: number): boolean {
  return byte === comma || closing.has(byte) || space.has(byte);
}
