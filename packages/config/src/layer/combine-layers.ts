import type { ConfigWarning } from "../fault/config-warning.ts";
import type { ConfigTable } from "../schema/config-table.ts";
import { isTable } from "../toml/table.ts";
import { mergeTables } from "../toml/table-path.ts";
import type { ConfigLayer } from "./config-layer.ts";
import { formatKey, type KeyPath } from "../toml/key-path.ts";
import type { Origin } from "../fault/origin.ts";

export interface CombinedLayers {
  readonly table: ConfigTable;
  /** Of each value and each table: dotted key to the layer that set it last. */
  readonly origins: ReadonlyMap<string, Origin>;
  readonly warnings: readonly ConfigWarning[];
}

/** Lays checked layers over each other, lowest first: tables are merged key by key, everything else is replaced. */
export function combineLayers(layers: readonly ConfigLayer[]): CombinedLayers {
  const origins = new Map<string, Origin>();
  for (const layer of layers) recordOrigins(layer, origins);
  const table = layers.map((layer) => layer.table).reduce(mergeTables, {});
  return { table, origins, warnings: layers.flatMap(({ warnings }) => warnings) };
}

function recordOrigins(layer: ConfigLayer, origins: Map<string, Origin>): void {
  const visit = (table: object, path: KeyPath): void => {
    for (const [key, value] of Object.entries<unknown>({ ...table })) {
      const valuePath = [...path, key];
      origins.set(formatKey(valuePath), layer.locate(valuePath));
      if (isTable(value)) visit(value, valuePath);
    }
  };
  visit(layer.table, []);
}
