import type { ConfigWarning } from "../fault/config-warning.ts";
import { formatOrigin } from "../fault/origin.ts";
import { deprecatedNames, replaceDeprecatedKey } from "../keys/deprecated-keys.ts";
import { formatKey, type KeyPath } from "../toml/key-path.ts";
import { isTable, type Table } from "../toml/table.ts";
import { mergeTables, nestValue, valueAt, withoutValue } from "../toml/table-path.ts";
import type { RawLayer } from "./config-layer.ts";

interface RenewedLayer {
  readonly layer: RawLayer;
  readonly warnings: readonly ConfigWarning[];
}

/** Takes the old keys of a layer for what they are called now; a key that stands there by its new name, too, wins. */
export function replaceOldKeys(layer: RawLayer): RenewedLayer {
  const { profiles } = layer.table;
  const tables = [[], ...Object.keys(isTable(profiles) ? profiles : {}).map((name) => ["profiles", name])];
  const paths = tables.flatMap((table) => deprecatedNames.map((name) => [...table, ...name.split(".")]));
  let renewed: RenewedLayer = { layer, warnings: [] };
  for (const path of paths) renewed = replaceOldKey(path, renewed);
  return renewed;
}

function replaceOldKey(path: KeyPath, { layer, warnings }: RenewedLayer): RenewedLayer {
  const old = valueAt(layer.table, path);
  const replaced = old === undefined ? null : replaceDeprecatedKey(path, old);
  if (replaced === null) return { layer, warnings };
  const origin = layer.locate(path);
  const table = withoutEmptyParent(withoutValue(layer.table, path), path);
  const isSet = valueAt(table, replaced.path) !== undefined;
  const isUsed = !isSet && replaced.value !== undefined;
  const [key, now] = [formatKey(path), formatKey(replaced.path)];
  const effect = isUsed ? `It is taken for ${now}: write that.` : `It has no effect; ${now} is the key of today.`;
  const warning: ConfigWarning = {
    code: "key_deprecated",
    message: `${formatOrigin(origin)}: ${key} is an old key. ${effect}`,
    key,
    origin,
  };
  return {
    layer: {
      ...layer,
      table: isUsed ? mergeTables(nestValue(replaced.path, replaced.value), table) : table,
      locate: (asked) => (isUsed && formatKey(asked) === now ? origin : layer.locate(asked)),
    },
    warnings: [...warnings, warning],
  };
}

/** A table that held nothing but old keys says nothing any more. */
function withoutEmptyParent(table: Table, path: KeyPath): Table {
  const parent = path.slice(0, -1);
  const value = parent.length === 0 ? undefined : valueAt(table, parent);
  return isTable(value) && Object.keys(value).length === 0 ? withoutValue(table, parent) : table;
}
