import type { AST } from "toml-eslint-parser";
import type { KeyPath } from "../toml/key-path.ts";

/** A stretch of the text: from the first offset up to but not including the second. */
export type TextRange = readonly [start: number, end: number];

export interface TomlPart {
  /** `header`: with the keys below it. `entry`: of a `{ … }`. `line`: any other key with its value. */
  readonly type: "header" | "line" | "entry";
  /** From the top of the document. */
  readonly path: KeyPath;
  readonly range: TextRange;
  /** Where the entries of its `{ … }` begin and end, itself among them; empty for others. */
  readonly entries: readonly TextRange[];
}

/** All headers and keys of a document, those within inline tables too, in their order. */
export function listTomlParts(document: AST.TOMLProgram): readonly TomlPart[] {
  return document.body[0].body.flatMap((node): readonly TomlPart[] => {
    if (node.type === "TOMLKeyValue") return listPair(node, []);
    const path = node.resolvedKey.map(String);
    const range = [node.range[0], node.body.at(-1)?.range[1] ?? node.range[1]] as const;
    const header = { type: "header", path, range, entries: [] } as const;
    return [header, ...node.body.flatMap((pair) => listPair(pair, path))];
  });
}

function listPair(
  { key, range, value }: AST.TOMLKeyValue,
  table: KeyPath,
  entries: readonly TextRange[] = [],
): readonly TomlPart[] {
  const path = [...table, ...key.keys.map((name) => (name.type === "TOMLBare" ? name.name : name.value))];
  const part = { type: entries.length === 0 ? "line" : "entry", path, range, entries } as const;
  if (value.type !== "TOMLInlineTable") return [part];
  const inner = value.body.map((pair) => pair.range);
  return [part, ...value.body.flatMap((pair) => listPair(pair, path, inner))];
}
