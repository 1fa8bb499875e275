import type { JsonSchema } from "./protocol-types.ts";

/** A schema as a type of TypeScript; `#/definitions/NAME` is NAME. */
export function toType(schema: unknown): string {
  if (!isSchema(schema)) return "unknown";
  const { $ref, const: constant, enum: values, anyOf, oneOf, type } = schema;
  if (typeof $ref === "string") return $ref.slice($ref.lastIndexOf("/") + 1);
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return choices.map((each) => `(${toType(each)})`).join(" | ");
  if (Array.isArray(type)) return type.map((each: unknown) => `(${toType({ ...schema, type: each })})`).join(" | ");
  if (type === "array") return `Array<${toType(schema["items"])}>`;
  if (type === "object") return toObject(schema);
  return typeof type === "string" ? (plainTypes[type] ?? "unknown") : "unknown";
}

/** By their name in JSON Schema. */
const plainTypes: Readonly<Record<string, string>> = {
  string: "string",
  boolean: "boolean",
  null: "null",
  number: "number",
  integer: "number",
};

function toObject({ properties, required, additionalProperties }: JsonSchema): string {
  if (!isSchema(properties)) return `Record<string, ${toType(additionalProperties)}>`;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const members = Object.entries(properties).map(
    ([name, member]) => `${JSON.stringify(name)}${needed.includes(name) ? "" : "?"}: ${toType(member)}`,
  );
  return members.length === 0 ? "Record<string, never>" : `{ ${members.join("; ")} }`;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
