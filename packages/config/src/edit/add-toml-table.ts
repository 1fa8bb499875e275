import { parseTOML } from "toml-eslint-parser";
import type { KeyPath } from "../toml/key-path.ts";
import type { Table } from "../toml/table.ts";
import { isWithin } from "../toml/table-path.ts";
import { listTomlParts } from "./list-toml-parts.ts";
import { writeTomlTable } from "../toml/write-toml-value.ts";

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
