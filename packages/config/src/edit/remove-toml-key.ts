import { parseTOML } from "toml-eslint-parser";
import type { KeyPath } from "../toml/key-path.ts";
import { isWithin } from "../toml/table-path.ts";
import { listTomlParts, type TextRange, type TomlPart } from "./list-toml-parts.ts";

/** The text without a key and all below it, wherever they stand. Comments outside stay. The text must have parsed. */
export function removeTomlKey(text: string, path: KeyPath): string {
  // One at a time: what is left is TOML again, with offsets of its own.
  const part = listTomlParts(parseTOML(text)).find((each) => isWithin(each.path, path));
  if (part === undefined) return text;
  const shorter = part.type === "entry" ? cutEntry(text, part) : cutLines(text, part.range);
  return removeTomlKey(shorter, path);
}

/** With the comma that it makes superfluous. */
function cutEntry(text: string, { range, entries }: TomlPart): string {
  const index = entries.findIndex(([start]) => start === range[0]);
  const start = entries[index - 1]?.[1] ?? range[0];
  const end = index === 0 ? (entries[1]?.[0] ?? range[1]) : range[1];
  return text.slice(0, start) + text.slice(end);
}

/** Whole lines, and the blank ones that would be left twice. */
function cutLines(text: string, [start, end]: TextRange): string {
  const lineBreak = text.indexOf("\n", end);
  const head = text.slice(0, text.lastIndexOf("\n", start - 1) + 1);
  const tail = lineBreak === -1 ? "" : text.slice(lineBreak + 1);
  if (tail.trim() === "") return head.replace(/(\r?\n)\s*$/, "$1");
  return /(^|\n)[ \t\r]*\n$|^$/.test(head) ? head + tail.replace(/^([ \t]*\r?\n)+/, "") : head + tail;
}
