import type { JsonSchema } from "@unroll/protocol";
import * as z from "zod";
import type { InputSchema } from "./input-schema.ts";

/** A schema of zod 4, maybe of another copy of it, whose descriptions our copy does not know. */
type ForeignZod = z.ZodType & { readonly description?: string | undefined };

/**
 * The JSON Schema of what `schema` accepts, less the dialect line, which the Responses API does not take. It may be of any
 * copy and version of zod 4, or of a library that writes JSON Schema by itself (Standard JSON Schema). Throws a `TypeError`,
 * which says what to do, for any other. `what` names it: `tool "deploy", input`.
 */
export function toJsonSchema(schema: InputSchema, what: string): JsonSchema {
  if (isZod4(schema)) return withoutDialect(z.toJSONSchema(schema, { io: "input", override: keepDescription }));
  const standard: unknown = Reflect.get(Object(schema), "~standard");
  const own = findOwnWriter(standard);
  if (own !== null) return withoutDialect(own({ target: "draft-2020-12" }));
  throw new TypeError(`${what}: ${describeOther(schema, standard)}`);
}

function isZod4(schema: unknown): schema is z.ZodType {
  return typeof schema === "object" && schema !== null && "_zod" in schema;
}

function keepDescription({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: Record<string, unknown> }): void {
  if (jsonSchema["description"] !== undefined || !isDescribed(zodSchema)) return;
  if (typeof zodSchema.description === "string") jsonSchema["description"] = zodSchema.description;
}

function isDescribed(schema: unknown): schema is ForeignZod {
  return typeof schema === "object" && schema !== null && "description" in schema;
}

type SchemaWriter = (options: { readonly target: string }) => object;

/** standardschema.dev/json-schema: `~standard.jsonSchema.input`. */
function findOwnWriter(standard: unknown): SchemaWriter | null {
  const writers: unknown = Reflect.get(Object(standard), "jsonSchema");
  const input: unknown = Reflect.get(Object(writers), "input");
  if (typeof input !== "function") return null;
  return (options) => {
    const written: unknown = Reflect.apply(input, writers, [options]);
    return typeof written === "object" && written !== null ? written : {};
  };
}

function withoutDialect(schema: object): JsonSchema {
  const { $schema: _dialect, "~standard": _standard, ...rest }: Record<string, unknown> = { ...schema };
  return rest;
}

function describeOther(schema: unknown, standard: unknown): string {
  if (typeof schema === "object" && schema !== null && "_def" in schema)
    return 'this is a schema of zod 3: make it with zod 4 (`import * as z from "zod"`, version 4).';
  const vendor: unknown = Reflect.get(Object(standard), "vendor");
  if (typeof vendor === "string")
    return `${vendor} does not write JSON Schema here: use zod 4, or a version of ${vendor} with Standard JSON Schema.`;
  return "a schema is expected, as z.object({ … }) of zod 4 gives it.";
}
