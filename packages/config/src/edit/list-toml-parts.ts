import type { AST } from "toml-eslint-parser";
import type { KeyPath } from "../toml/key-path.ts";

/** A stretch of the text: from the first offset up to but not including the second. */
export type TextRange = readonly [start: number, end: number];

export interface TomlPart {
  /** `header`: with the keys below it. `entry`: of a `{ … }`. `line`: any other key with its value. */
  readonly type: "header" | "line" | "entry";
  /** From the top of the document. */
  readonly path: KeyPath;
  /** The table around it: of the header, or of the `{ … }`. */
  readonly table: KeyPath;
  readonly range: TextRange;
  /** Of the value; of a header, all of it. */
  readonly value: TextRange;
  /** Where the entries of the `{ … }` around it begin and end, itself among them; empty for others. */
  readonly entries: readonly TextRange[];
  /** Whether the value is a `{ … }`. */
  readonly isInline: boolean;
}

/** All headers and keys of a document, those within inline tables too, in their order. */
export function listTomlParts(document: AST.TOMLProgram): readonly TomlPart[] {
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
