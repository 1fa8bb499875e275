import { parse } from "smol-toml";
import type { KeyPath } from "./table.ts";

/** Where a key or table begins, and those below it; null: there are none. */
export interface KeyPlace {
  readonly offset: number;
  below: Map<string, KeyPlace> | null;
}

/** Blanks that the reader skips at once. Sticky, and may match nothing. */
const space = /[ \t]*/y;
const dots = /[. \t]*/y;
const equals = /[= \t]*/y;
const opening = /[[ \t]*/y;
const closing = /[\] \t]*/y;
const bareKey = /[\w-]*/y;
const plainValue = /[^,\]}#\r\n]*/y;
const gap = /[\s,]*/y;
const restOfLine = /[^\n]*/y;

interface Cursor {
  readonly text: string;
  at: number;
  readonly onPlain: (value: string, offset: number) => void;
}

/**
 * The offset at which each key and table of a TOML document begins. The parser keeps no positions,
 * so this reads the text again; the text must have parsed. Entries of arrays have no position of
 * their own. Calls `onPlain` for each value that is neither a string, an array nor a table.
 */
export function locateKeys(text: string, onPlain: Cursor["onPlain"] = () => {}): KeyPlace {
  const cursor: Cursor = { text, at: 0, onPlain };
  const top: KeyPlace = { offset: 0, below: null };
  let table = top;
  for (skipBlank(cursor); cursor.at < text.length; skipBlank(cursor)) {
    if (text[cursor.at] === "[") table = readHeader(cursor, top);
    else readPair(cursor, table);
  }
  return top;
}

function readHeader(cursor: Cursor, top: KeyPlace): KeyPlace {
  const start = cursor.at;
  skip(cursor, opening);
  const path = readKey(cursor);
  skip(cursor, closing);
  return record(top, path, start);
}

function readPair(cursor: Cursor, table: KeyPlace): void {
  const start = cursor.at;
  const path = readKey(cursor);
  skip(cursor, equals);
  readValue(cursor, record(table, path, start));
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
      skip(cursor, bareKey);
      path.push(cursor.text.slice(start, cursor.at));
    }
    skip(cursor, space);
    if (cursor.text[cursor.at] !== ".") return path;
    skip(cursor, dots);
  }
}

function readValue(cursor: Cursor, place: KeyPlace): void {
  const first = cursor.text[cursor.at];
  if (first === "{") readBracketed(cursor, "}", () => readPair(cursor, place));
  else if (first === "[") readBracketed(cursor, "]", () => readValue(cursor, place));
  else if (first === '"' || first === "'") skipString(cursor);
  else {
    const start = cursor.at;
    // At least one character: a misreading may cost a place, but must not cost an end.
    cursor.at += 1;
    skip(cursor, plainValue);
    cursor.onPlain(cursor.text.slice(start, cursor.at).trim(), start);
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
    skip(cursor, gap);
    if (cursor.text[cursor.at] !== "#") return;
    skip(cursor, restOfLine);
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

function skip(cursor: Cursor, pattern: RegExp): void {
  pattern.lastIndex = cursor.at;
  pattern.test(cursor.text);
  cursor.at = pattern.lastIndex;
}

/** A table that only longer keys name begins where the first of them does. */
function record(table: KeyPlace, path: KeyPath, offset: number): KeyPlace {
  let place = table;
  for (const key of path) {
    place.below ??= new Map();
    const next: KeyPlace = place.below.get(key) ?? { offset, below: null };
    place.below.set(key, next);
    place = next;
  }
  return place;
}
