/** Any JSON object, as it was parsed. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a parsed JSON value is an object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
