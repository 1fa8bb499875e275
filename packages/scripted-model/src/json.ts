/** Any JSON object, as it was parsed. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a parsed JSON value is an object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The one place where JSON text becomes a value of unknown shape. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  return JSON.parse(text);
}
