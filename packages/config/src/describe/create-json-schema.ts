import * as z from "zod";
import { createConfigSchema } from "../schema/config-schema.ts";
import { defaults } from "../schema/defaults.ts";
import { deprecatedNames } from "../schema/deprecated-keys.ts";
import { listUnusedKeys } from "../schema/unused-keys.ts";
import { findKeyDoc } from "./find-key-doc.ts";

type Json = Readonly<Record<string, unknown>>;

/** See `loadConfigJsonSchema`. */
export function createConfigJsonSchema(): Json {
  const { $schema, ...schema }: Json = { ...z.toJSONSchema(createConfigSchema(), { io: "input", reused: "inline" }) };
  const title = "unroll and Codex CLI: config.toml";
  return { $schema, title, ...describe(schema, []) };
}

function describe(schema: Json, path: readonly string[]): Json {
  const found = findKeyDoc(path);
  const standard = found === null ? undefined : Object.entries(defaults).find(([key]) => key === found.name)?.[1];
  const { properties, additionalProperties } = schema;
  return {
    ...(found === null || found.doc.text === "" ? {} : { description: found.doc.text }),
    ...(standard === undefined ? {} : { default: standard }),
    ...schema,
    ...(isObject(properties) ? { properties: { ...describeAll(properties, path), ...listUnused(path) } } : {}),
    ...(isObject(additionalProperties) ? { additionalProperties: describe(additionalProperties, [...path, "*"]) } : {}),
  };
}

function describeAll(properties: Json, path: readonly string[]): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => [
      key,
      isObject(schema) ? describe(schema, [...path, key]) : schema,
    ]),
  );
}

/** Known to the reference: an editor must not call them wrong. */
function listUnused(path: readonly string[]): Json {
  const description = "Without effect in unroll.";
  const old = path.length === 0 ? deprecatedNames.filter((name) => !name.includes(".")) : [];
  return {
    ...Object.fromEntries(listUnusedKeys(path).map((key) => [key, { description }])),
    ...Object.fromEntries(old.map((key) => [key, { deprecated: true }])),
  };
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
