import type { ConfigWarning, Origin } from "../config-error.ts";
import type { ConfigTable } from "../keys/config-table.ts";
import { isTable, mergeTables, formatKeyPart } from "../toml/table.ts";
import type { ConfigLayer } from "./config-layer.ts";

export interface CombinedLayers {
  readonly table: ConfigTable;
  /** For each value and each table, by dotted key: the layer that set it last. */
  readonly origins: ReadonlyMap<string, Origin>;
  readonly warnings: readonly ConfigWarning[];
}

export function combineLayers(layers: readonly ConfigLayer[]): CombinedLayers {
  const origins = new Map<string, Origin>();
  for (const layer of layers) recordOrigins(layer.table, { layer, path: [], prefix: "" }, origins);
  return { table: combineTables(layers), origins, warnings: layers.flatMap(({ warnings }) => warnings) };
}

/** Lays checked layers over each other, lowest first: tables are merged key by key, everything else is replaced. */
export function combineTables(layers: readonly ConfigLayer[]): ConfigTable {
  return layers.map(({ table }) => table).reduce(mergeTables, {});
}

interface Place {
  readonly layer: ConfigLayer;
  /** Grown and shrunk on the way: a file may have a million keys. */
  readonly path: string[];
  /** The path, written, with the dot behind it. */
  readonly prefix: string;
}

function recordOrigins(table: object, { layer, path, prefix }: Place, origins: Map<string, Origin>): void {
  for (const name of Object.keys(table)) {
    const key = prefix + formatKeyPart(name);
    const value: unknown = Reflect.get(table, name);
    path.push(name);
    origins.set(key, layer.locate(path));
    if (isTable(value)) recordOrigins(value, { layer, path, prefix: `${key}.` }, origins);
    path.pop();
  }
}
