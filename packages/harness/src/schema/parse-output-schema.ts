import type { JsonSchema } from "@unroll/protocol";
import { shortenText } from "@unroll/text";
import { describeJsonFault } from "@unroll/text/json-fault";
import { HarnessError } from "../harness-error.ts";
import { checkCall } from "../check-options.ts";

const types = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);
/** Far more than any provider accepts. */
const maxDepth = 200;
const listsOfSchemas = ["anyOf", "allOf", "oneOf", "prefixItems"];
const mapsOfSchemas = ["properties", "$defs", "definitions", "patternProperties"];
const schemas = ["items", "additionalProperties", "not", "contains", "if", "then", "else"];

/**
 * Parses a JSON Schema file. Throws `HarnessError` `invalid_schema` that names the file and, for an
 * invalid schema, the place in it (RFC 6901).
 */
export function parseOutputSchema(text: string, file: string): JsonSchema {
  checkCall("parseOutputSchema", { text, file }, { text: "text", file: "text" });
  const json = text.replace(/^\uFEFF/, "");
  const jsonFault = describeJsonFault(json);
  if (jsonFault !== null)
    throw new HarnessError("invalid_schema", `${file}: not valid JSON: ${jsonFault}. Correct it there.`);
  const value: unknown = JSON.parse(json);
  if (!isRecord(value)) throw new HarnessError("invalid_schema", `${file}: a JSON Schema object is expected here.`);
  const fault = findFault(value, "") ?? findReferenceFault(value, value, "");
  if (fault !== null) throw new HarnessError("invalid_schema", `${file}: not a JSON Schema: ${fault}`);
  return value;
}

function findFault(schema: unknown, path: string): string | null {
  if (typeof schema === "boolean") return null;
  if (path.split("/").length > maxDepth) return `${shortenText(path, 80)}: nested deeper than ${maxDepth} levels.`;
  if (!isRecord(schema)) return `${path || "/"}: a schema (an object, true or false) is expected.`;
  return (
    findTypeFault(schema, path) ??
    findRequiredFault(schema, path) ??
    findPatternFault(schema, path) ??
    findNestedFault(schema, path)
  );
}

function findTypeFault({ type }: JsonSchema, path: string): string | null {
  if (type === undefined) return null;
  const names: readonly unknown[] = Array.isArray(type) ? type : [type];
  const wrong = names.find((name) => typeof name !== "string" || !types.has(name));
  return wrong === undefined ? null : `${path}/type: ${JSON.stringify(wrong)} is not one of ${[...types].join(", ")}.`;
}

/**
 * A reference within the document (RFC 6901) must have a target. No validator here can follow any
 * other reference.
 */
function findReferenceFault(schema: unknown, root: JsonSchema, path: string): string | null {
  if (Array.isArray(schema)) {
    return findFirst([...schema.entries()], ([index, each]) => findReferenceFault(each, root, `${path}/${index}`));
  }
  if (!isRecord(schema)) return null;
  const target = schema["$ref"];
  if (typeof target === "string" && !leadsSomewhere(target, root)) {
    return `${path}/$ref: ${JSON.stringify(target)} leads to nothing in this file.`;
  }
  return findFirst(Object.entries(schema), ([key, each]) => findReferenceFault(each, root, `${path}/${key}`));
}

function leadsSomewhere(target: string, root: JsonSchema): boolean {
  if (!/^#(?:\/|$)/.test(target)) return false;
  let found: unknown = root;
  for (const part of target.split("/").slice(1)) {
    const key = part.replaceAll("%25", "%").replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !(key in found)) return false;
    found = Object.entries(found).find(([name]) => name === key)?.[1];
  }
  return true;
}

function findRequiredFault({ required, enum: values }: JsonSchema, path: string): string | null {
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === "string"))) {
    return `${path}/required: a list of property names is expected.`;
  }
  return values !== undefined && !Array.isArray(values) ? `${path}/enum: a list of values is expected.` : null;
}

function findPatternFault({ pattern }: JsonSchema, path: string): string | null {
  if (pattern === undefined) return null;
  if (typeof pattern !== "string") return `${path}/pattern: a regular expression is expected.`;
  return isRegExp(pattern) ? null : `${path}/pattern: ${JSON.stringify(pattern)} is not a regular expression.`;
}

function isRegExp(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").source !== "";
  } catch {
    return false;
  }
}

function findNestedFault(schema: JsonSchema, path: string): string | null {
  const own = Object.entries(schema);
  const single = findFirst(own, ([key, each]) => (schemas.includes(key) ? findFault(each, `${path}/${key}`) : null));
  const nested = ([key, each]: readonly [string, unknown]): string | null => {
    const place = `${path}/${key}`;
    if (mapsOfSchemas.includes(key) && !isRecord(each)) return `${place}: an object of schemas is expected.`;
    if (listsOfSchemas.includes(key) && !Array.isArray(each)) return `${place}: a list of schemas is expected.`;
    if (!mapsOfSchemas.includes(key) && !listsOfSchemas.includes(key)) return null;
    return findFirst(Object.entries(Object(each)), ([name, inner]) => findFault(inner, `${place}/${name}`));
  };
  return single ?? findFirst(own, nested);
}

function findFirst<T>(values: readonly T[], find: (value: T) => string | null): string | null {
  for (const value of values) {
    const found = find(value);
    if (found !== null) return found;
  }
  return null;
}

function isRecord(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
