import type { JsonSchema } from "@unroll/protocol";
import { type InputSchema, toJsonSchema } from "@unroll/tools";

/**
 * The JSON Schema of the responses that `output` accepts. Its objects allow no further members,
 * because providers accept no others.
 */
export function toOutputSchema(output: InputSchema): JsonSchema {
  return closeObjects(toJsonSchema(output, "thread.run, output"));
}

function closeObjects(schema: JsonSchema): JsonSchema {
  const closed: JsonSchema = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closeWithin(value)]),
  );
  return "properties" in closed && !("additionalProperties" in closed)
    ? { ...closed, additionalProperties: false }
    : closed;
}

function closeWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeWithin);
  return typeof value === "object" && value !== null ? closeObjects({ ...value }) : value;
}
