import { modelFileSchema } from "../catalogue/parse-model-file.ts";
import { configSchema } from "../keys/config-schema.ts";
import { deprecatedNames, listUnusedKeys } from "../keys/deprecated-keys.ts";
import type { ValueSchema } from "../keys/kinds.ts";

const $schema = "https://json-schema.org/draft/2020-12/schema";

/**
 * A JSON Schema (draft 2020-12) of `config.toml` for editors: every key with its meaning, default
 * and choices.
 */
export function createConfigJsonSchema(): Readonly<Record<string, unknown>> {
  return { $schema, title: "unroll and Codex CLI: config.toml", ...withUnused(configSchema(), []) };
}

/** A JSON Schema (draft 2020-12) of the file that `model_catalog_json` names. */
export function createModelFileSchema(): Readonly<Record<string, unknown>> {
  return { $schema, title: "unroll: the file of model_catalog_json", ...modelFileSchema() };
}

/** Includes keys that only the Codex CLI uses, so that an editor does not mark them as wrong. */
function withUnused(schema: ValueSchema, path: readonly string[]): ValueSchema {
  const { properties, additionalProperties: free } = schema;
  if (free) return { ...schema, additionalProperties: withUnused(free, [...path, "*"]) };
  if (properties === undefined) return schema;
  const own = Object.entries(properties).map(([name, each]) => [name, withUnused(each, [...path, name])] as const);
  const old = path.length === 0 ? deprecatedNames.filter((name) => !name.includes(".")) : [];
  const foreign: readonly (readonly [string, ValueSchema])[] = [
    ...listUnusedKeys(path).map((name) => [name, { description: "No effect in unroll." }] as const),
    ...old.map((name) => [name, { deprecated: true }] as const),
  ];
  return { ...schema, properties: Object.fromEntries([...own, ...foreign]) };
}
