import type { JsonSchema } from "@unroll/protocol";
import * as z from "zod";
import type { InputSchema } from "./input-schema.ts";
import { toWritten, writeOwnSchema } from "./write-own-schema.ts";

/** A schema of zod 4, maybe of another copy of it, whose descriptions our copy does not know. */
type ForeignZod = z.ZodType & { readonly description?: string | undefined };

/** As `writeOwnSchema`, but of any copy and version of zod 4: one that does not write JSON Schema by itself is written by ours. */
export function toJsonSchema(schema: InputSchema, what: string): JsonSchema {
  const own = writeOwnSchema(schema, what);
  if (own !== null || !isZod4(schema)) return own ?? {};
  return toWritten(() => z.toJSONSchema(schema, { io: "input", override: keepDescription }), what);
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
