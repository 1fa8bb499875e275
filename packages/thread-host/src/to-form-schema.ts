import type { FormField, FormInput } from "@unroll/protocol";

type Json = Readonly<Record<string, unknown>>;

/** The fields of a form as the JSON Schema that MCP forms are written in. */
export function toFormSchema(fields: readonly FormField[]): Record<string, unknown> {
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, toProperty(field)])),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

function toProperty({ title, description, input, defaultValue }: FormField): Json {
  const named = { title, description, ...(defaultValue === null ? {} : { default: defaultValue }) };
  return { ...named, ...toInput(input) };
}

function toInput(input: FormInput): Json {
  switch (input.type) {
    case "text": {
      const { format, minLength, maxLength } = input;
      return { type: "string", ...(format === null ? {} : { format }), minLength, ...finite({ maxLength }) };
    }
    case "number": {
      const { minimum, maximum } = input;
      return { type: input.isInteger ? "integer" : "number", ...finite({ minimum, maximum }) };
    }
    case "boolean":
      return { type: "boolean" };
    case "choice": {
      const options = input.options.map(({ value, title }) => ({ const: value, title }));
      if (!input.isMultiple) return { type: "string", oneOf: options };
      const { minItems, maxItems } = input;
      return { type: "array", items: { anyOf: options }, minItems, ...finite({ maxItems }) };
    }
  }
}

/** JSON has no infinity: such a bound is none. */
function finite(bounds: Readonly<Record<string, number>>): Json {
  return Object.fromEntries(Object.entries(bounds).filter(([, value]) => Number.isFinite(value)));
}
