/** The text that an escape stands for, and where the escape ends. */
export interface Escape {
  readonly text: string;
  readonly end: number;
}

/** `cut`: the text ends within an escape. */
type EscapeRead = Escape | "cut" | null;

/** The characters that escapes begin with, and what is only meant by those that begin with some of them. */
export const escapeMarks: readonly { readonly mark: string; readonly means: string | null }[] = [
  { mark: "%", means: null },
  { mark: "\\", means: null },
  { mark: "&", means: null },
  { mark: "+", means: " " },
  { mark: "\r", means: "\n" },
];

/** The characters of escapes, without those that stand for themselves behind a backslash. */
export const escapeCharacters: string = "%\\&+\r\n#;{}0123456789abcdefABCDEFuUxX" + "ampltgquosAMPLTGQUOS" + "nrt";

/** How often something is escaped again, so that a long run of marks costs little. */
const mostAgain = 3;

/**
 * Every reading of the escape that begins at a place; empty: none begins there. Addresses and forms write `%3d` and `+`; JSON and
 * source code `\u003d`, `\u{3d}`, `\x3d`, `\n` and a backslash in front of a mark; HTML `&#61;`, `&#x3d;` and `&amp;`; terminals a
 * carriage return in front of a line end. Digits may have any case. Text may be escaped again in the same way: `%253d`, `\\u003d`.
 */
export function readEscapes(text: string, at: number): readonly (Escape | "cut")[] {
  switch (text.charCodeAt(at)) {
    case 0x25:
      return readPercent(text, at);
    case 0x5c:
      return readBackslash(text, at);
    case 0x26:
      return listRead(readEntity(text, at));
    case 0x2b:
      return [{ text: " ", end: at + 1 }];
    case 0x0d:
      if (at + 1 === text.length) return ["cut"];
      return text.charCodeAt(at + 1) === 0x0a ? [{ text: "\n", end: at + 2 }] : [];
    default:
      return [];
  }
}

function listRead(read: EscapeRead): readonly (Escape | "cut")[] {
  return read === null ? [] : [read];
}

/** The percent sign may be escaped itself. */
function readPercent(text: string, at: number): readonly (Escape | "cut")[] {
  const once = listRead(readBytes(text, at, "%"));
  if (!text.startsWith("25", at + 1)) return once;
  const reads = [...once];
  for (let end = at + 3, again = 1; again <= mostAgain; again += 1, end += 2) {
    reads.push(...listRead(readBytes(text, at, text.slice(at, end))));
    if (!text.startsWith("25", end)) break;
  }
  return reads;
}

/** The bytes of one character in UTF-8, each as a prefix and two digits. */
function readBytes(text: string, at: number, prefix: string): EscapeRead {
  const first = readByte(text, at, prefix);
  if (first === null || first === "cut") return first;
  const length = prefix.length + 2;
  if (first < 0x80) return { text: String.fromCharCode(first), end: at + length };
  const bytes = [first];
  const count = countBytes(first);
  for (let end = at + length; bytes.length < count; end += length) {
    const byte = text.startsWith(prefix, end) ? readByte(text, end, prefix) : isCut(text, end, prefix) ? "cut" : null;
    if (byte === null || byte === "cut") return byte;
    bytes.push(byte);
  }
  const decoded = decodeBytes(bytes);
  return decoded === null ? null : { text: decoded, end: at + count * length };
}

/** Behind the prefix, which is there. */
function readByte(text: string, at: number, prefix: string): number | "cut" | null {
  const start = at + prefix.length;
  const [high, low] = [toDigit(text.charCodeAt(start)), toDigit(text.charCodeAt(start + 1))];
  if (high >= 0 && low >= 0) return high * 16 + low;
  return isCut(text, at, prefix) ? "cut" : null;
}

/** Whether the text ends within a prefix and two digits. */
function isCut(text: string, at: number, prefix: string): boolean {
  const rest = text.slice(at);
  const digits = rest.length - prefix.length;
  if (digits < 0) return prefix.startsWith(rest);
  return digits < 2 && rest.startsWith(prefix) && (digits === 0 || toDigit(rest.charCodeAt(prefix.length)) >= 0);
}

/** The value of a hexadecimal digit; negative: it is not one. */
function toDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** The length of a character that begins with this byte, from 0x80 on; 0: no character does. */
function countBytes(first: number): number {
  if (first < 0xc0) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeBytes(bytes: readonly number[]): string | null {
  try {
    return utf8.decode(Uint8Array.from(bytes)) || null;
  } catch {
    return null;
  }
}

const controls: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

function readBackslash(text: string, at: number): readonly (Escape | "cut")[] {
  let body = at + 1;
  while (text.charCodeAt(body) === 0x5c && body < at + 2 ** mostAgain) body += 1;
  const read = listRead(readBody(text, at, body));
  return body === at + 1 ? read : [{ text: "\\", end: at + 2 }, ...read];
}

/** Reads behind the backslashes from `at` to `body`. */
function readBody(text: string, at: number, body: number): EscapeRead {
  const letter = text.charAt(body);
  if (letter === "") return "cut";
  if (letter === "x") return readBytes(text, at, text.slice(at, body + 1));
  if (letter === "u") return readUnicode(text, body);
  const control = controls.get(letter);
  if (control !== undefined) return { text: control, end: body + 1 };
  return /[\w\s]/.test(letter) ? null : { text: letter, end: body + 1 };
}

const unicode = /u(?:([\da-f]{4})|\{([\da-f]{1,6})\})/iy;
const cutUnicode = /u(?:[\da-f]{0,3}|\{[\da-f]{0,6})$/iy;

function readUnicode(text: string, at: number): EscapeRead {
  unicode.lastIndex = at;
  const found = unicode.exec(text);
  if (found !== null) return toCharacter(Number.parseInt(found[1] ?? found[2] ?? "", 16), unicode.lastIndex);
  cutUnicode.lastIndex = at;
  return cutUnicode.test(text) ? "cut" : null;
}

const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/iy;
const cutEntity = /&(?:#\d{0,7}|#x[\da-f]{0,6}|[a-z]{0,4})$/iy;
const named: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

function readEntity(text: string, at: number): EscapeRead {
  entity.lastIndex = at;
  const found = entity.exec(text);
  if (found === null) {
    cutEntity.lastIndex = at;
    return cutEntity.test(text) ? "cut" : null;
  }
  const [, decimal, hexadecimal = "", name = ""] = found;
  const shown = named.get(name.toLowerCase());
  if (shown !== undefined) return { text: shown, end: entity.lastIndex };
  return toCharacter(decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal), entity.lastIndex);
}

function toCharacter(code: number, end: number): Escape | null {
  return code > 0x10ffff ? null : { text: String.fromCodePoint(code), end };
}
