const escape = /\\(?:\r\n|[\n\r]|[0-7]{1,3}|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|[\s\S])/g;

const simpleEscapes: Readonly<Record<string, string>> = {
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\n": "",
  "\r": "",
  "\r\n": "",
};

/** The value of a string literal's body. An escape that Starlark does not have is an error, as it is there. */
export function decodeStringLiteral(body: string): { readonly value: string } | { readonly message: string } {
  const unknown: string[] = [];
  const value = body.replace(escape, (sequence) => {
    const decoded = decodeEscape(sequence.slice(1));
    if (decoded === null) unknown.push(sequence);
    return decoded ?? sequence;
  });
  const [first] = unknown;
  if (first === undefined) return { value };
  return { message: `found the escape ${first} in a string, expected \\\\ for a backslash, or an r"…" string` };
}

function decodeEscape(code: string): string | null {
  const simple = simpleEscapes[code];
  if (simple !== undefined) return simple;
  if (/^[0-7]/.test(code)) return decodeCodePoint(Number.parseInt(code, 8), 0x7f);
  if (/^x./.test(code)) return decodeCodePoint(Number.parseInt(code.slice(1), 16), 0x7f);
  if (/^[uU]./.test(code)) return decodeCodePoint(Number.parseInt(code.slice(1), 16), 0x10ffff);
  return null;
}

function decodeCodePoint(codePoint: number, highest: number): string | null {
  const surrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  return codePoint > highest || surrogate ? null : String.fromCodePoint(codePoint);
}
