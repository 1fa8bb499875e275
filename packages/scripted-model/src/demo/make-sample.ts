import { isJsonObject, type JsonObject } from "../json.ts";

const deepest = 8;

/** A value that a JSON Schema allows, the smallest at hand. References and what it does not know become an empty text. */
export function makeSample(schema: unknown, depth = 0): unknown {
  if (!isJsonObject(schema) || depth > deepest) return "";
  for (const key of ["const", "default"]) if (key in schema) return schema[key];
  const choice = firstOf(schema["enum"]) ?? firstOf(schema["examples"]);
  if (choice !== undefined) return choice;
  const branch = firstOf(schema["anyOf"]) ?? firstOf(schema["oneOf"]) ?? firstOf(schema["allOf"]);
  return branch === undefined ? sampleOfType(schema, depth) : makeSample(branch, depth + 1);
}

function sampleOfType(schema: JsonObject, depth: number): unknown {
  const { type, properties, items } = schema;
  switch (Array.isArray(type) ? type[0] : type) {
    case "object": {
      const fields = Object.entries(isJsonObject(properties) ? properties : {});
      return Object.fromEntries(fields.map(([name, field]) => [name, makeSample(field, depth + 1)]));
    }
    case "array":
      return Array.from({ length: toNumber(schema["minItems"], 1) }, () => makeSample(items, depth + 1));
    case "integer":
    case "number":
      return toNumber(schema["minimum"], 1);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return "sample".padEnd(toNumber(schema["minLength"], 0), "-");
  }
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

function toNumber(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
