import type { JsonSchema } from "@unroll/protocol";
import type { InputSchema } from "./input-schema.ts";

/** A schema to JSON Schema; null: not by this one. `what` names it in errors. */
export type SchemaWriter = (schema: InputSchema, what: string) => JsonSchema | null;

/**
 * The JSON Schema of what `schema` accepts, as it writes it by itself (Standard JSON Schema: zod since 4.2, and other libraries),
 * less the dialect line, which the Responses API does not take. Null: it is of a zod 4 that does not, see `toJsonSchema`.
 * Throws a `TypeError`, which says what to do, for any other. `what` names it: `tool "deploy", input`.
 */
export function writeOwnSchema(schema: InputSchema, what: string): JsonSchema | null {
  const standard: unknown = Reflect.get(Object(schema), "~standard");
  const own = findOwnWriter(standard);
  if (own !== null) return toWritten(() => own({ target: "draft-2020-12" }), what);
  if ("_zod" in Object(schema)) return null;
  throw new TypeError(`${what}: ${describeOther(schema, standard)}`);
}

type OwnWriter = (options: { readonly target: string }) => object;

/** standardschema.dev/json-schema: `~standard.jsonSchema.input`. */
function findOwnWriter(standard: unknown): OwnWriter | null {
  const writers: unknown = Reflect.get(Object(standard), "jsonSchema");
  const input: unknown = Reflect.get(Object(writers), "input");
  if (typeof input !== "function") return null;
  return (options) => {
    const written: unknown = Reflect.apply(input, writers, [options]);
    return typeof written === "object" && written !== null ? written : {};
  };
}

/**
 * A library's JSON Schema, without the dialect line. Throws a `TypeError` if there is none: JSON
 * has no dates, for example.
 */
export function toWritten(write: () => object, what: string): JsonSchema {
  try {
    const { $schema: _dialect, "~standard": _standard, ...rest }: Record<string, unknown> = { ...write() };
    return rest;
  } catch (error) {
    // not describeThrown: the short way loads no package but this one (cold-import.test.ts)
    const reason = error instanceof Error ? error.message : String(error);
    throw new TypeError(`${what}: ${reason}: use what JSON has (texts, numbers, lists, objects).`, { cause: error });
  }
}

function describeOther(schema: unknown, standard: unknown): string {
  if (typeof schema === "object" && schema !== null && "_def" in schema)
    return 'this is a schema of zod 3: make it with zod 4 (`import * as z from "zod"`, version 4).';
  const vendor: unknown = Reflect.get(Object(standard), "vendor");
  if (typeof vendor === "string")
    return `${vendor} does not write JSON Schema here: use zod 4, or a version of ${vendor} with Standard JSON Schema.`;
  return "a schema is expected, as z.object({ … }) of zod 4 gives it.";
}
