/** A JSON object whose members are not known yet. */
export type JsonFields = Readonly<Record<string, unknown>>;

/** Whether a value is an object, and no list. */
export function isFields(value: unknown): value is JsonFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is an object; else an empty one. */
export function toFields(value: unknown): JsonFields {
  return isFields(value) ? value : {};
}

/** Null: the text is not JSON, or not an object. */
export function parseFields(text: string): JsonFields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}
