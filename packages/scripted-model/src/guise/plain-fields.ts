import { isJsonObject, type JsonObject } from "../json.ts";

const plainFields: ReadonlySet<string> = new Set([
  "model",
  "instructions",
  "input",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "stream",
  "reasoning",
  "text",
]);

/** What a server that knows functions and an effort alone does not know of a request. */
export function findBeyondPlain(fields: JsonObject): readonly string[] {
  const { tools } = fields;
  const types = Array.isArray(tools) ? tools.map((tool) => (isJsonObject(tool) ? String(tool["type"]) : "?")) : [];
  const others = types.filter((type) => type !== "function");
  return [...findBeyondPlainFields(fields), ...others.map((type) => `it does not know tools of the type ${type}`)];
}

/** The same of a server that refuses other tools by itself. */
export function findBeyondPlainFields(fields: JsonObject): readonly string[] {
  const { reasoning } = fields;
  return [
    ...Object.keys(fields)
      .filter((name) => !plainFields.has(name))
      .map((name) => `it does not know the field ${name}`),
    ...(isJsonObject(reasoning) && "summary" in reasoning ? ["it does not know reasoning.summary"] : []),
  ];
}
