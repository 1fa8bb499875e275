import { ConfigError } from "../fault/config-error.ts";
import type { ConfigWarning } from "../fault/config-warning.ts";
import { formatOrigin, type Origin } from "../fault/origin.ts";
import { findNearestName } from "../check/nearest-name.ts";
import { findWeight, listKeys } from "../keys/config-schema.ts";
import { listUnusedKeys, restrainingKeys } from "../keys/unused-keys.ts";
import { formatKey, type KeyPath } from "../toml/key-path.ts";
import type { RawLayer } from "./config-layer.ts";

/** No person writes so many slips; a file of another kind has them at once. */
const mostUnknown = 1000;

/**
 * Warnings of keys that nothing uses. Throws `ConfigError` (`key_unknown`) for one that was meant to hold the model back, and
 * for more than anybody would read.
 */
export function reportUnknownKeys(paths: readonly KeyPath[], layer: RawLayer): readonly ConfigWarning[] {
  const [first] = paths;
  if (first !== undefined && paths.length > mostUnknown) {
    const key = formatKey(first);
    const message = `${paths.length} unknown keys, ${key} the first of them: this is no config of unroll. Correct or remove it.`;
    throw new ConfigError({ code: "key_unknown", message, key, origin: layer.locate(first) });
  }
  const isUnused = (path: KeyPath): boolean => listUnusedKeys(path.slice(0, -1)).includes(path.at(-1) ?? "");
  const unused = paths.filter(isUnused);
  return [
    ...paths.filter((path) => !isUnused(path)).map((path) => reportUnknown(path, layer)),
    ...(unused.length === 0 ? [] : [reportUnused(unused, layer)]),
  ];
}

function reportUnknown(path: KeyPath, layer: RawLayer): ConfigWarning {
  const key = formatKey(path);
  const origin = layer.locate(path);
  if (path.length === 1 && restrainingKeys.includes(key)) {
    const message = `${formatOrigin(origin)}: ${key}, of the Codex CLI, has no effect in unroll: nothing is held back by it.`;
    return { code: "key_unknown", message, key, origin };
  }
  const meant = findMeant(path);
  if (meant !== null && findWeight(meant) === "guard") {
    const message = `unknown key ${key}. Did you mean ${formatKey(meant)}? That one holds the model back, so nothing starts without it: correct the name, or remove it.`;
    throw new ConfigError({ code: "key_unknown", message, key, origin });
  }
  const message = `${formatOrigin(origin)}: unknown key ${key}: it has no effect.${suggest(path, meant)}`;
  return { code: "key_unknown", message, key, origin };
}

function findMeant(path: KeyPath): KeyPath | null {
  const table = path.slice(0, -1);
  const nearest = findNearestName(path.at(-1) ?? "", [...listKeys(table), ...listUnusedKeys(table)]);
  return nearest === null ? null : [...table, nearest];
}

function suggest(path: KeyPath, meant: KeyPath | null): string {
  if (meant !== null) return ` Did you mean ${formatKey(meant)}?`;
  const name = path.at(-1) ?? "";
  const isTopLevel = path.length > 1 && listKeys([]).includes(name);
  return isTopLevel ? ` Did you mean ${name} at the top? Then put it above the first [table].` : "";
}

/** All of a file in one sentence: who shares it with another harness need not read one for each. */
function reportUnused(paths: readonly KeyPath[], layer: RawLayer): ConfigWarning {
  const places = paths.map((path) => ({ key: formatKey(path), origin: layer.locate(path) }));
  const [first] = places;
  const where = first?.origin.type === "file" ? first.origin.path : formatOrigin(first?.origin ?? { type: "built_in" });
  const keys = places.map(({ key, origin }) => `${key}${atLine(origin)}`).join(", ");
  const message = `${where}: without effect in unroll, which knows but does not use ${paths.length === 1 ? "it" : "them"}: ${keys}.`;
  return { code: "key_unused", message };
}

function atLine(origin: Origin): string {
  return origin.type === "file" ? ` (line ${origin.line})` : "";
}
