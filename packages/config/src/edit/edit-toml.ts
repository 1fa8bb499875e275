import { parseTOML, type AST } from "toml-eslint-parser";
import { type KeyPath, isTable, isWithin, type Table } from "../toml/table.ts";
import { writeTomlKey, writeTomlLine, writeTomlValue, writeTomlTable } from "../toml/write-toml-value.ts";

/**
 * The text with this value at the key: instead of the present value, or where the key belongs. The
 * text must have parsed.
 */
export function setTomlValue(text: string, path: KeyPath, value: unknown): string {
  const parts = listTomlParts(parseTOML(text));
  const there = parts.find((part) => part.type !== "header" && isSame(part.path, path));
  if (there !== undefined) return replace(text, there.value, toLineEnds(text, writeTomlValue(value)));
  if (parts.some((part) => isWithin(part.path, path))) return setTomlValue(removeTomlKey(text, path), path, value);
  return add(text, parts, { path, value });
}

interface NewKey {
  readonly path: KeyPath;
  readonly value: unknown;
}

function add(text: string, parts: readonly TomlPart[], { path, value }: NewKey): string {
  const parent = path.slice(0, -1);
  const inline = parts.findLast((part) => part.isInline && isWithin(parent, part.path));
  if (inline !== undefined) {
    const entry = `${writeTomlKey(path.slice(inline.path.length))} = ${writeTomlValue(value)}`;
    const inner = parts.find((part) => part.type === "entry" && isSame(part.table, inline.path));
    return addEntry(text, { entry, table: inline.value, last: inner?.entries.at(-1) ?? null });
  }
  if (isTable(value) && Object.keys(value).length > 0) return addTomlTable(text, path, value);
  const header = parts.findLast((part) => part.type === "header" && isSame(part.path, parent));
  const lines = parts.filter(({ type }) => type === "line");
  const sibling =
    header === undefined && parent.length > 0
      ? lines.findLast((part) => isWithin(part.path, parent) && isWithin(parent, part.table))
      : lines.findLast((part) => isSame(part.table, parent));
  if (sibling !== undefined) return addLineBehind(text, sibling, { path: path.slice(sibling.table.length), value });
  if (header !== undefined) return addLineBehind(text, header, { path: path.slice(-1), value });
  if (parent.length > 0) return addTomlTable(text, parent, { [path.at(-1) ?? ""]: value });
  return addAtTop(text, parts, writeTomlLine(path, value));
}

interface NewEntry {
  readonly entry: string;
  /** The `{ … }`. */
  readonly table: TextRange;
  /** Its last entry so far. */
  readonly last: TextRange | null;
}

/** Into a `{ … }`, as its last entry; on a line of its own where the table ends on one. */
function addEntry(text: string, { entry, table: [start, end], last }: NewEntry): string {
  const behind = last === null ? start + 1 : (findCommaEnd(text, last[1]) ?? last[1]);
  const hasComma = last === null || behind !== last[1];
  const rest = text.slice(behind, end - 1);
  if (rest.trim() === "" && (last === null || !rest.includes("\n"))) {
    return replace(text, [behind, end - 1], `${hasComma ? "" : ","} ${entry} `);
  }
  const tail = `${rest.trimEnd()}\n${findIndent(text, last)}${entry},\n`;
  return replace(text, [behind, end - 1], toLineEnds(text, `${hasComma ? "" : ","}${tail}`));
}

/** How far to the right the next entry begins. */
function findIndent(text: string, last: TextRange | null): string {
  const before = last === null ? "" : text.slice(text.lastIndexOf("\n", last[0] - 1) + 1, last[0]);
  return /^[ \t]+$/.test(before) ? before : "  ";
}

/** Below the line in which the part ends; as far to the right as a key is. */
function addLineBehind(text: string, part: TomlPart, { path, value }: NewKey): string {
  const lineStart = text.lastIndexOf("\n", part.range[0] - 1) + 1;
  const before = text.slice(lineStart, part.range[0]);
  const indent = /^[ \t]*$/.test(before) ? before : "";
  const lineBreak = text.indexOf("\n", part.range[1]);
  const line = toLineEnds(text, indent + writeTomlLine(path, value));
  if (lineBreak === -1) return text + toLineEnds(text, "\n") + line;
  return replace(text, [lineBreak + 1, lineBreak + 1], line);
}

/** Above the first header and the comments that belong to it. */
function addAtTop(text: string, parts: readonly TomlPart[], line: string): string {
  const [first] = parts;
  if (first === undefined) {
    const gap = text === "" || text.endsWith("\n") ? "" : "\n";
    return text + toLineEnds(text, gap + line);
  }
  const head = text.slice(0, text.lastIndexOf("\n", first.range[0] - 1) + 1);
  const at = head.length - (/(?:[ \t]*#[^\n]*\n)*$/.exec(head)?.[0].length ?? 0);
  return replace(text, [at, at], toLineEnds(text, `${line}\n`));
}

function replace(text: string, [start, end]: readonly [number, number], inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end);
}

function isSame(path: KeyPath, other: KeyPath): boolean {
  return path.length === other.length && isWithin(path, other);
}

/** As the rest of the text ends its lines. */
function toLineEnds(text: string, lines: string): string {
  return text.includes("\r\n") ? lines.replaceAll(/\r?\n/g, "\r\n") : lines;
}

/** The text with a new table behind the last of its siblings, or at the end. The text must have parsed. */
export function addTomlTable(text: string, path: KeyPath, table: Table): string {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const at = findPlace(text, path.slice(0, -1));
  const [head, tail] = [text.slice(0, at), text.slice(at)];
  const block = writeTomlTable(path, table).replaceAll("\n", lineEnd);
  const before = head === "" ? "" : head.endsWith("\n") ? lineEnd : lineEnd + lineEnd;
  const after = tail === "" || /^[ \t\r]*\n/.test(tail) ? "" : lineEnd;
  return head + before + block + after + tail;
}

/** Behind the line in which the last table below `parent` ends; of none, the end. */
function findPlace(text: string, parent: KeyPath): number {
  const parts = listTomlParts(parseTOML(text));
  const last =
    parent.length === 0 ? undefined : parts.findLast(({ type, path }) => type === "header" && isWithin(path, parent));
  if (last === undefined) return text.trimEnd() === "" ? 0 : text.length;
  const lineBreak = text.indexOf("\n", last.range[1]);
  return lineBreak === -1 ? text.length : lineBreak + 1;
}

/** The offset behind the comma that comes next, blanks and comments aside; null where something else does. */
function findCommaEnd(text: string, from: number): number | null {
  const blank = /(?:\s|#[^\n]*)*/y;
  blank.lastIndex = from;
  const at = from + (blank.exec(text)?.[0].length ?? 0);
  return text[at] === "," ? at + 1 : null;
}

/** A stretch of the text: from the first offset up to but not including the second. */
type TextRange = readonly [start: number, end: number];

interface TomlPart {
  /** `header`: with the keys below it. `entry`: of a `{ … }`. `line`: any other key with its value. */
  readonly type: "header" | "line" | "entry";
  /** From the top of the document. */
  readonly path: KeyPath;
  /** The table around it: of the header, or of the `{ … }`. */
  readonly table: KeyPath;
  readonly range: TextRange;
  /** The range of the value; for a header, all of it. */
  readonly value: TextRange;
  /** Where the entries of the `{ … }` around it begin and end, itself among them; empty for others. */
  readonly entries: readonly TextRange[];
  /** Whether the value is a `{ … }`. */
  readonly isInline: boolean;
}

/** All headers and keys of a document, those within inline tables too, in their order. */
function listTomlParts(document: AST.TOMLProgram): readonly TomlPart[] {
  return document.body[0].body.flatMap((node): readonly TomlPart[] => {
    if (node.type === "TOMLKeyValue") return listPair(node, { table: [], entries: [] });
    const path = node.resolvedKey.map(String);
    const range = [node.range[0], node.body.at(-1)?.range[1] ?? node.range[1]] as const;
    const header: TomlPart = { type: "header", path, table: path, range, value: range, entries: [], isInline: false };
    return [header, ...node.body.flatMap((pair) => listPair(pair, { table: path, entries: [] }))];
  });
}

function listPair(
  { key, range, value }: AST.TOMLKeyValue,
  { table, entries }: Pick<TomlPart, "table" | "entries">,
): readonly TomlPart[] {
  const path = [...table, ...key.keys.map((name) => (name.type === "TOMLBare" ? name.name : name.value))];
  const type = entries.length === 0 ? "line" : "entry";
  const isInline = value.type === "TOMLInlineTable";
  const part: TomlPart = { type, path, table, range, value: value.range, entries, isInline };
  if (value.type !== "TOMLInlineTable") return [part];
  const inner = value.body.map((pair) => pair.range);
  return [part, ...value.body.flatMap((pair) => listPair(pair, { table: path, entries: inner }))];
}

/** The text without a key and all below it, wherever they stand. Comments outside stay. The text must have parsed. */
export function removeTomlKey(text: string, path: KeyPath): string {
  // One at a time, the last one first, whose table is there still: what is left is TOML again, with offsets of its own.
  const part = listTomlParts(parseTOML(text)).findLast((each) => isWithin(each.path, path));
  if (part === undefined) return text;
  const shorter = part.type === "entry" ? cutEntry(text, part) : cutLines(text, part.range);
  return removeTomlKey(shorter, path);
}

/** With the comma that it makes superfluous; with its lines and the comment behind it, where it has lines of its own. */
function cutEntry(text: string, { range, entries }: TomlPart): string {
  const [start, end] = range;
  const commaEnd = findCommaEnd(text, end);
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const lineTail = /^[ \t]*(?:#[^\n]*|\r)?\n/.exec(text.slice(commaEnd ?? end))?.[0];
  if (lineTail !== undefined && text.slice(lineStart, start).trim() === "") {
    return text.slice(0, lineStart) + text.slice((commaEnd ?? end) + lineTail.length);
  }
  const index = entries.findIndex(([other]) => other === start);
  const before = entries[index - 1];
  if (before === undefined) return text.slice(0, start) + text.slice(entries[1]?.[0] ?? commaEnd ?? end);
  // the comment of the entry before stays, and its comma, too: TOML 1.1 allows a last one
  const keepsComma = commaEnd === null && text.slice(before[1], start).includes("#");
  return text.slice(0, keepsComma ? start : before[1]) + text.slice(end);
}

/** Whole lines, and the blank ones that would be left twice. */
function cutLines(text: string, [start, end]: TextRange): string {
  const lineBreak = text.indexOf("\n", end);
  const head = text.slice(0, text.lastIndexOf("\n", start - 1) + 1);
  const tail = lineBreak === -1 ? "" : text.slice(lineBreak + 1);
  if (tail.trim() === "") return head.replace(/(\r?\n)\s*$/, "$1");
  return /(^|\n)[ \t\r]*\n$|^$/.test(head) ? head + tail.replace(/^([ \t]*\r?\n)+/, "") : head + tail;
}
