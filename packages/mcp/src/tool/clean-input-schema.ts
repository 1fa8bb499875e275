import type { JsonSchema } from "@unroll/protocol";
import { mergeSchemas, toObjectSchema } from "./merge-schemas.ts";
import { parseSchemaList, parseSchemaNode, resolvePointer, type SchemaNode } from "./parse-schema-node.ts";

export type CleanedSchema =
  | { readonly type: "cleaned"; readonly schema: JsonSchema }
  | { readonly type: "rejected"; readonly reason: string };

/** Inlined references can make a small schema huge. */
const maxNodes = 5_000;

/** Deeper parts become "anything". */
const maxDepth = 60;

/** Keywords that are sent unchanged. All others, unless a rule below names them, are left out. */
const plainKeywords = new Set(
  [
    "title description default const format pattern minLength maxLength minItems maxItems uniqueItems",
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minProperties maxProperties",
  ].flatMap((line) => line.split(" ")),
);

interface Walk {
  readonly root: SchemaNode;
  /** The references that are being inlined around the node. */
  readonly refs: readonly string[];
  readonly depth: number;
  readonly count: { nodes: number };
}

/**
 * Converts a tool's input schema into what the Responses API accepts. The root is an object and not
 * a union, references are inlined (a recursive one ends as "anything"), arrays name their items,
 * objects have `properties`. Everything that the API does not know is left out: the server checks
 * its input itself.
 */
export function cleanInputSchema(input: unknown): CleanedSchema {
  const root = parseSchemaNode(input);
  if (root === null) return { type: "rejected", reason: "its input schema is not an object" };
  const walk: Walk = { root, refs: [], depth: 0, count: { nodes: 0 } };
  const cleaned = cleanNode(root, walk);
  if (walk.count.nodes > maxNodes) {
    return { type: "rejected", reason: `its input schema has more than ${maxNodes} parts, references inlined` };
  }
  const schema = cleaned && toObjectSchema(cleaned);
  return schema ? { type: "cleaned", schema } : { type: "rejected", reason: "its input schema describes no object" };
}

/** Null: a schema that nothing matches. Anything that is not a schema counts as "anything". */
function cleanNode(value: unknown, around: Walk): SchemaNode | null {
  const walk = { ...around, depth: around.depth + 1 };
  walk.count.nodes += 1;
  if (value === false) return null;
  const node = parseSchemaNode(value);
  if (node === null || walk.depth > maxDepth || walk.count.nodes > maxNodes) return {};
  const { $ref, allOf, anyOf, oneOf, not, ...own } = node;
  if (isAnything(not)) return null;

  const parts = [
    cleanKeywords(own, walk),
    cleanReference($ref, walk),
    ...parseSchemaList(allOf).map((part) => cleanNode(part, walk)),
    cleanUnion(anyOf, walk),
    cleanUnion(oneOf, walk),
  ];
  const whole = parts.reduce((left, right) => left && right && mergeSchemas(left, right));
  return whole && complete(whole);
}

function cleanReference(ref: unknown, walk: Walk): SchemaNode | null {
  if (typeof ref !== "string" || walk.refs.includes(ref)) return {};
  return cleanNode(resolvePointer(walk.root, ref), { ...walk, refs: [...walk.refs, ref] });
}

function cleanUnion(members: unknown, walk: Walk): SchemaNode | null {
  if (!Array.isArray(members) || members.length === 0) return {};
  const [first, ...others] = cleanMembers(members, walk);
  if (first === undefined) return null;
  return others.length === 0 ? first : { anyOf: [first, ...others] };
}

function cleanMembers(members: readonly unknown[], walk: Walk): readonly SchemaNode[] {
  return members.map((member) => cleanNode(member, walk)).filter((member) => member !== null);
}

function cleanKeywords(node: SchemaNode, walk: Walk): SchemaNode {
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) => {
      const cleaned = plainKeywords.has(key) ? value : cleanKeyword(key, value, walk);
      return cleaned === undefined ? [] : [[key === "prefixItems" ? "items" : key, cleaned]];
    }),
  );
}

/** Undefined: left out. */
function cleanKeyword(key: string, value: unknown, walk: Walk): unknown {
  switch (key) {
    case "type":
      return typeof value === "string" || (isTextList(value) && value.length > 0) ? value : undefined;
    case "enum":
      return Array.isArray(value) && value.length > 0 ? value : undefined;
    case "required":
      return isTextList(value) ? value : undefined;
    case "properties":
      return cleanProperties(value, walk);
    case "items":
    case "prefixItems":
      return Array.isArray(value) ? (cleanUnion(value, walk) ?? {}) : (cleanNode(value, walk) ?? {});
    case "additionalProperties":
      return typeof value === "boolean" ? value : (cleanNode(value, walk) ?? false);
    default:
      return undefined;
  }
}

function cleanProperties(value: unknown, walk: Walk): SchemaNode {
  return Object.fromEntries(
    Object.entries(parseSchemaNode(value) ?? {}).flatMap(([name, property]) => {
      const cleaned = cleanNode(property, walk);
      return cleaned === null ? [] : [[name, cleaned]];
    }),
  );
}

/** Adds what the API requires: an array's items, an object's properties, and the type where it is clear. */
function complete(node: SchemaNode): SchemaNode {
  const type = node["type"] ?? inferType(node);
  const { properties, required } = node;
  const isObject = parseSchemaList(type).includes("object") || type === "object";
  const isArray = parseSchemaList(type).includes("array") || type === "array";
  const names = Object.keys(parseSchemaNode(properties) ?? {});
  return {
    ...(type === null ? {} : { type }),
    ...node,
    ...(isObject ? { properties: properties ?? {} } : {}),
    ...(isTextList(required) ? { required: required.filter((name) => names.includes(name)) } : {}),
    ...(isArray ? { items: node["items"] ?? {} } : {}),
  };
}

/** Null: not clear. */
function inferType(node: SchemaNode): string | null {
  if (node["properties"] !== undefined) return "object";
  if (node["items"] !== undefined) return "array";
  const { enum: values } = node;
  return isTextList(values) ? "string" : null;
}

function isAnything(schema: unknown): boolean {
  const node = parseSchemaNode(schema);
  return schema === true || (node !== null && Object.keys(node).length === 0);
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
