import type { ConfigWarning } from "../config-warning.ts";
import type { ConfigTable } from "../schema/config-table.ts";
import type { KeyPath } from "./key-path.ts";
import type { Origin } from "./origin.ts";

/** A TOML table as parsed; what its values are is not known yet. */
export type Table = Readonly<Record<string, unknown>>;

/** One place that sets values, not looked at yet. */
export interface RawLayer {
  readonly table: Table;
  /** Where the key, or the nearest table around it, was set. */
  locate(path: KeyPath): Origin;
}

/** One place that sets values: known keys only, each of its type. */
export interface ConfigLayer {
  readonly table: ConfigTable;
  locate(path: KeyPath): Origin;
  readonly warnings: readonly ConfigWarning[];
}

/** A layer that sets nothing. */
export function createEmptyLayer(warnings: readonly ConfigWarning[] = []): ConfigLayer {
  const locate = (): never => {
    throw new Error("An empty layer sets no key.");
  };
  return { table: {}, locate, warnings };
}

/** Whether a TOML value is a table; arrays and dates are not. */
export function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
