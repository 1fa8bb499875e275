import type { ElicitRequestFormParams, PrimitiveSchemaDefinition } from "@modelcontextprotocol/client";
import type { FormField, FormInput } from "@unroll/protocol";
import type { McpElicitation } from "./elicitation.ts";

/**
 * Converts a form that the SDK has checked into one shape, for all ways in which the protocol can
 * write it.
 */
export function parseElicitation(server: string, params: ElicitRequestFormParams): McpElicitation {
  const { properties, required = [] } = params.requestedSchema;
  return {
    server,
    message: params.message,
    fields: Object.entries(properties).map(([name, schema]): FormField => ({
      name,
      title: schema.title ?? name,
      description: schema.description ?? "",
      isRequired: required.includes(name),
      input: parseInput(schema),
      defaultValue: schema.default ?? null,
    })),
  };
}

function parseInput(schema: PrimitiveSchemaDefinition): FormInput {
  switch (schema.type) {
    case "boolean":
      return { type: "boolean" };
    case "number":
    case "integer": {
      const { minimum = -Infinity, maximum = Infinity } = schema;
      return { type: "number", isInteger: schema.type === "integer", minimum, maximum };
    }
    case "array": {
      const { items, minItems = 0, maxItems = Infinity } = schema;
      const options =
        "anyOf" in items ? items.anyOf.map(toOption) : items.enum.map((value) => ({ value, title: value }));
      return { type: "choice", isMultiple: true, minItems, maxItems, options };
    }
    case "string":
      return parseTextInput(schema);
  }
}

function parseTextInput(schema: Extract<PrimitiveSchemaDefinition, { type: "string" }>): FormInput {
  if ("oneOf" in schema) return toSingleChoice(schema.oneOf.map(toOption));
  if ("enum" in schema) {
    const titles = "enumNames" in schema ? schema.enumNames : undefined;
    return toSingleChoice(schema.enum.map((value, index) => ({ value, title: titles?.[index] ?? value })));
  }
  const { format, minLength, maxLength } = schema;
  return { type: "text", format: format ?? null, minLength: minLength ?? 0, maxLength: maxLength ?? Infinity };
}

function toSingleChoice(options: readonly { readonly value: string; readonly title: string }[]): FormInput {
  return { type: "choice", isMultiple: false, minItems: 1, maxItems: 1, options };
}

function toOption(option: { readonly const: string; readonly title: string }): { value: string; title: string } {
  return { value: option.const, title: option.title };
}
