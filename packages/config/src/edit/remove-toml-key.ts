import { parseTOML } from "toml-eslint-parser";
import type { KeyPath } from "../toml/key-path.ts";
import { findCommaEnd } from "./find-comma-end.ts";
import { isWithin } from "../toml/table-path.ts";
import { listTomlParts, type TextRange, type TomlPart } from "./list-toml-parts.ts";

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
