import type { JsonSchema } from "@unroll/protocol";
import { type InputSchema, toJsonSchema } from "@unroll/tools";

/** The JSON Schema of answers that `output` accepts. Its objects are closed: providers take no others for answers. */
export function toOutputSchema(output: InputSchema): JsonSchema {
  return closeObjects(toJsonSchema(output, "thread.run, output"));
}

function closeObjects(schema: JsonSchema): JsonSchema {
  const closed = mapValues(schema, closeWithin);
  return "properties" in closed && !("additionalProperties" in closed)
    ? { ...closed, additionalProperties: false }
    : closed;
}

function closeWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeWithin);
  return typeof value === "object" && value !== null ? closeObjects({ ...value }) : value;
}

function mapValues(schema: JsonSchema, change: (value: unknown) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, change(value)]));
}
