import * as z from "zod";

/** What a value must be, in Markdown: `true, false`, the choices, `whole number`. */
export function describeType(schema: unknown): string {
  if (schema instanceof z.ZodExactOptional) return describeType(schema.unwrap());
  if (schema instanceof z.ZodEnum) return schema.options.map((choice) => `\`${choice}\``).join(" ");
  if (schema instanceof z.ZodUnion) return schema.options.map(describeType).join(", or ");
  if (schema instanceof z.ZodBoolean) return "true, false";
  if (schema instanceof z.ZodNumber) return schema.isInt ? "whole number" : "number";
  if (schema instanceof z.ZodString) return "string";
  if (schema instanceof z.ZodArray) return `${describeType(schema.element)}s`;
  if (schema instanceof z.ZodRecord) return `table of ${describeType(schema.valueType)}s`;
  return "table";
}
