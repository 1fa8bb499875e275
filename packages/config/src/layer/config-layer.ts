import type { ConfigWarning, Origin } from "../config-error.ts";
import type { ConfigTable } from "../keys/config-table.ts";
import type { KeyPath, Table } from "../toml/table.ts";

/** One place that sets values, not looked at yet. */
export interface RawLayer {
  readonly table: Table;
  /** Where the key, or the nearest table around it, was set. */
  locate(path: KeyPath): Origin;
  /** Whether the value did not parse as TOML, and stands for itself. Absent: no. */
  readonly isPlainText?: boolean;
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
