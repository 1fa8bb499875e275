import { deprecatedNames } from "./deprecated-keys.ts";
import { findNode, type KeyNode } from "./key-tree.ts";
import { listUnusedKeys } from "./unused-keys.ts";
import type { ValueSchema } from "./value-schema.ts";

/** The schema of a table of `config.toml`, with the meaning and the default of every key. Throws where there is no such table. */
export function toTableSchema(path: readonly string[]): ValueSchema {
  const node = findNode(path);
  if (node === null) throw new Error(`There is no table ${path.join(".")}.`);
  return describe(node, path);
}

function describe({ key, schema, below }: KeyNode, path: readonly string[]): ValueSchema {
  const words = key && { description: key.text, ...(key.default === undefined ? {} : { default: key.default }) };
  if (schema !== null) return { ...words, ...schema };
  const free = below.get("*");
  if (free !== undefined) return { ...words, type: "object", additionalProperties: describe(free, [...path, "*"]) };
  const required = [...below].flatMap(([name, child]) => (child.key?.required ? [name] : []));
  const own = Array.from(below, ([name, child]) => [name, describe(child, [...path, name])] as const);
  return {
    ...words,
    type: "object",
    properties: { ...Object.fromEntries(own), ...listUnused(path) },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The Codex CLI knows them: an editor must not call them wrong. */
function listUnused(path: readonly string[]): Readonly<Record<string, ValueSchema>> {
  const old = path.length === 0 ? deprecatedNames.filter((name) => !name.includes(".")) : [];
  return {
    ...Object.fromEntries(listUnusedKeys(path).map((key) => [key, { description: "Without effect in unroll." }])),
    ...Object.fromEntries(old.map((key) => [key, { deprecated: true } as const])),
  };
}
