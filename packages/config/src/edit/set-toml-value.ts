import { parseTOML } from "toml-eslint-parser";
import type { KeyPath } from "../toml/key-path.ts";
import { isTable } from "../toml/table.ts";
import { isWithin } from "../toml/table-path.ts";
import { addTomlTable } from "./add-toml-table.ts";
import { findCommaEnd } from "./find-comma-end.ts";
import { listTomlParts, type TextRange, type TomlPart } from "./list-toml-parts.ts";
import { removeTomlKey } from "./remove-toml-key.ts";
import { writeTomlKey, writeTomlLine, writeTomlValue } from "../toml/write-toml-value.ts";

/** The text with this value at the key, in the place of the one that is there, or where the key belongs. The text must have parsed. */
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
