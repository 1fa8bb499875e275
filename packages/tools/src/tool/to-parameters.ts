import type { JsonSchema } from "@unroll/protocol";
import * as z from "zod";

/**
 * The `parameters` of a function tool: the JSON Schema of what `input` accepts, less the dialect line, which the
 * Responses API does not take. Optional fields are left out of `required`.
 */
export function toParameters(input: z.ZodObject): JsonSchema {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(input, { io: "input" });
  return parameters;
}
