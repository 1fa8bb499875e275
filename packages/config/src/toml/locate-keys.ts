import { parse } from "smol-toml";
import { formatKey, type KeyPath } from "./key-path.ts";

interface Cursor {
  readonly text: string;
  at: number;
  readonly offsets: Map<string, number>;
}

/**
 * Where each key and table of a TOML document begins: dotted key to offset. The parser keeps no positions, so this reads
 * the text once more; the text must have parsed. Entries of arrays have no position of their own.
 */
export function locateKeys(text: string): ReadonlyMap<string, number> {
  const cursor: Cursor = { text, at: 0, offsets: new Map() };
  let table: KeyPath = [];
  for (skipBlank(cursor); cursor.at < text.length; skipBlank(cursor)) {
    if (text[cursor.at] === "[") table = readHeader(cursor);
    else readPair(cursor, table);
  }
  return cursor.offsets;
}

function readHeader(cursor: Cursor): KeyPath {
  const start = cursor.at;
  skipWhile(cursor, /[[ \t]/);
  const path = readKey(cursor);
  skipWhile(cursor, /[\] \t]/);
  record(cursor, path, start);
  return path;
}

function readPair(cursor: Cursor, table: KeyPath): void {
  const start = cursor.at;
  const path = [...table, ...readKey(cursor)];
  skipWhile(cursor, /[= \t]/);
  record(cursor, path, start);
  readValue(cursor, path);
}

/** Reads up to the `=` or `]` after the key. */
function readKey(cursor: Cursor): KeyPath {
  const path: string[] = [];
  for (;;) {
    const start = cursor.at;
    const first = cursor.text[start];
    if (first === '"' || first === "'") {
      skipString(cursor);
      path.push(...Object.keys(parse(`${cursor.text.slice(start, cursor.at)} = 0`)));
    } else {
      skipWhile(cursor, /[\w-]/);
      path.push(cursor.text.slice(start, cursor.at));
    }
    skipWhile(cursor, /[ \t]/);
    if (cursor.text[cursor.at] !== ".") return path;
    skipWhile(cursor, /[. \t]/);
  }
}

function readValue(cursor: Cursor, path: KeyPath): void {
  const first = cursor.text[cursor.at];
  if (first === "{") readBracketed(cursor, "}", () => readPair(cursor, path));
  else if (first === "[") readBracketed(cursor, "]", () => readValue(cursor, path));
  else if (first === '"' || first === "'") skipString(cursor);
  else {
    // At least one character: a misreading may cost a place, but must not cost an end.
    cursor.at += 1;
    skipWhile(cursor, /[^,\]}#\r\n]/);
  }
}

function readBracketed(cursor: Cursor, close: string, readEntry: () => void): void {
  cursor.at += 1;
  for (skipBlank(cursor); cursor.at < cursor.text.length && cursor.text[cursor.at] !== close; skipBlank(cursor)) {
    readEntry();
  }
  cursor.at += 1;
}

/** Space, line ends, commas and comments. */
function skipBlank(cursor: Cursor): void {
  for (;;) {
    skipWhile(cursor, /[\s,]/);
    if (cursor.text[cursor.at] !== "#") return;
    skipWhile(cursor, /[^\n]/);
  }
}

function skipString(cursor: Cursor): void {
  const { text, at } = cursor;
  const quote = text[at] ?? "";
  const close = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  cursor.at += close.length;
  while (cursor.at < text.length && !text.startsWith(close, cursor.at)) {
    cursor.at += quote === '"' && text[cursor.at] === "\\" ? 2 : 1;
  }
  cursor.at += close.length;
  // A string in three quotes may end with one or two more, which belong to it.
  if (close.length === 3) for (let extra = 0; extra < 2 && text[cursor.at] === quote; extra += 1) cursor.at += 1;
}

function skipWhile(cursor: Cursor, allowed: RegExp): void {
  while (cursor.at < cursor.text.length && allowed.test(cursor.text.charAt(cursor.at))) cursor.at += 1;
}

/** A table that only longer keys name begins where the first of them does. */
function record({ offsets }: Cursor, path: KeyPath, offset: number): void {
  for (let length = path.length; length > 0; length -= 1) {
    const key = formatKey(path.slice(0, length));
    if (offsets.has(key)) return; // so are the tables around it
    offsets.set(key, offset);
  }
}
