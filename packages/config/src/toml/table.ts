/** A TOML table as parsed; what its values are is not known yet. */
export type Table = Readonly<Record<string, unknown>>;

/** Whether a TOML value is a table; arrays and dates are not. */
export function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
