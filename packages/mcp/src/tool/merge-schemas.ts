import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "@unroll/protocol";
import { parseSchemaList, parseSchemaNode, type SchemaNode } from "./parse-schema-node.ts";

/**
 * Roughly the intersection of two cleaned schemas: where more than their properties differ, the
 * left one wins.
 */
export function mergeSchemas(left: SchemaNode, right: SchemaNode): SchemaNode {
  const merged = { ...right, ...left };
  const properties = { ...propertiesOf(right), ...propertiesOf(left) };
  const required = [...new Set([...requiredOf(left), ...requiredOf(right)])];
  return {
    ...merged,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

/**
 * A cleaned schema as the root of `parameters`: an object, without union, `enum` or `const`. The
 * alternatives of a union become one object with the properties of all, of which those are required
 * that all require. Null: no object matches.
 */
export function toObjectSchema(schema: SchemaNode): JsonSchema | null {
  const { type, anyOf, enum: _enum, const: _const, ...own } = schema;
  if (type !== undefined && type !== "object" && !parseSchemaList(type).includes("object")) return null;
  const base = { ...own, type: "object", properties: propertiesOf(own), required: requiredOf(own) };
  if (anyOf === undefined) return withoutEmptyRequired(base);

  const alternatives = parseSchemaList(anyOf)
    .map((member) => toObjectSchema(parseSchemaNode(member) ?? {}))
    .filter((member) => member !== null);
  const [first, ...others] = alternatives;
  if (first === undefined) return null;
  const requiredByAll = others.reduce<readonly string[]>(
    (names, member) => names.filter((name) => requiredOf(member).includes(name)),
    requiredOf(first),
  );
  return withoutEmptyRequired({
    ...base,
    properties: alternatives.map(propertiesOf).reduce(joinProperties, base.properties),
    required: [...new Set([...base.required, ...requiredByAll])],
  });
}

function joinProperties(left: SchemaNode, right: SchemaNode): SchemaNode {
  const joined = Object.entries(right).map(([name, schema]): readonly [string, unknown] => {
    const known = Object.hasOwn(left, name) ? left[name] : schema;
    return [name, isDeepStrictEqual(known, schema) ? known : { anyOf: [...alternativesOf(known), schema] }];
  });
  return { ...left, ...Object.fromEntries(joined) };
}

function alternativesOf(schema: unknown): readonly unknown[] {
  const node = parseSchemaNode(schema) ?? {};
  return Object.keys(node).length === 1 && node["anyOf"] !== undefined ? parseSchemaList(node["anyOf"]) : [schema];
}

function withoutEmptyRequired({
  required,
  ...schema
}: { readonly required: readonly string[] } & SchemaNode): JsonSchema {
  return required.length > 0 ? { ...schema, required } : schema;
}

function propertiesOf(schema: SchemaNode): SchemaNode {
  return parseSchemaNode(schema["properties"]) ?? {};
}

function requiredOf(schema: SchemaNode): readonly string[] {
  return parseSchemaList(schema["required"]).filter((name) => typeof name === "string");
}
