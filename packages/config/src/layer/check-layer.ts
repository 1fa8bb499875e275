import { type Fault, type Findings, findFaults } from "../check/find-faults.ts";
import { findNearestName } from "../check/nearest-name.ts";
import { ConfigError, type ConfigWarning, formatOrigin } from "../config-error.ts";
import { findWeight, listKeys, configSchema, toSettingsPath } from "../keys/config-schema.ts";
import type { ConfigTable } from "../keys/config-table.ts";
import {
  deprecatedNames,
  findUnkeptRestraint,
  keptValues,
  replaceDeprecatedKey,
  listUnusedKeys,
} from "../keys/deprecated-keys.ts";
import {
  formatKey,
  withoutValues,
  type KeyPath,
  isTable,
  type Table,
  mergeTables,
  nestValue,
  valueAt,
  withoutValue,
} from "../toml/table.ts";
import type { ConfigLayer, RawLayer } from "./config-layer.ts";

/**
 * Sees to it that a layer has nothing but known keys with values of their types. Old keys are taken for what they are called
 * now. Unknown ones, and wrong values of light keys in a file, are left out and become warnings. Throws
 * `ConfigError` (`value_invalid`, `key_unknown`) at the first of the others.
 */
export function checkLayer(layer: RawLayer): ConfigLayer {
  const findings = findFaults(layer.table, configSchema());
  if (isRight(layer.table, findings)) return { ...layer, table: layer.table, warnings: [] };
  const { layer: renewed, warnings } = replaceOldKeys(layer);
  const { faults, unknown } = renewed === layer ? findings : findFaults(renewed.table, configSchema());
  const reported = [...warnings, ...reportFaults(faults, renewed), ...reportUnknownKeys(unknown, renewed)];
  const table = withoutValues(renewed.table, [...unknown, ...faults.map(({ path }) => path)]);
  if (!isRight(table, findFaults(table, configSchema())))
    throw new Error("A table without its faulty values is still invalid.");
  return { ...renewed, table, warnings: reported.toSorted(comparePlaces) };
}

function isRight(table: Table, { faults, unknown }: Findings): table is Table & ConfigTable {
  return faults.length + unknown.length === 0;
}

/** As one reads the file. */
function comparePlaces({ origin: a }: ConfigWarning, { origin: b }: ConfigWarning): number {
  return a?.type === "file" && b?.type === "file" ? a.line - b.line || a.column - b.column : 0;
}

/** One warning a key. Throws at the first fault that is not of a light key in a file. */
function reportFaults(faults: readonly Fault[], layer: RawLayer): readonly ConfigWarning[] {
  const warnings = new Map<string, ConfigWarning>();
  for (const fault of faults) {
    const key = formatKey(fault.path);
    const [entry, ...member] = fault.inside;
    const names = member.map((name) => `, ${name}`).join("");
    const at = typeof entry === "number" ? ` (entry ${entry + 1}${names})` : "";
    const hint = layer.isPlainText && typeof fault.value === "string" ? notToml : "";
    const message = `${key}${at} ${fault.words}${hint}`;
    const origin = layer.locate(fault.path);
    if (origin.type !== "file" || findWeight(fault.path) !== "light")
      throw new ConfigError({ code: "value_invalid", message: `${message}.`, key, origin });
    const text = `${formatOrigin(origin)}: ${message}. It is ignored.`;
    if (!warnings.has(key)) warnings.set(key, { code: "value_ignored", message: text, key, origin });
  }
  return [...warnings.values()];
}

const notToml = ", since it is not TOML and so was read as a string";

interface RenewedLayer {
  readonly layer: RawLayer;
  readonly warnings: readonly ConfigWarning[];
}

/** Renames the old keys of a layer. If a key is also there under its new name, the new one wins. */
function replaceOldKeys(layer: RawLayer): RenewedLayer {
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
  const effect = isUsed ? `It is read as ${now}: use that name.` : `It has no effect: use ${now}.`;
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
    warnings: replaced.isShared ? warnings : [...warnings, warning],
  };
}

/** A table that held nothing but old keys says nothing any more. */
function withoutEmptyParent(table: Table, path: KeyPath): Table {
  const parent = path.slice(0, -1);
  const value = parent.length === 0 ? undefined : valueAt(table, parent);
  return isTable(value) && Object.keys(value).length === 0 ? withoutValue(table, parent) : table;
}

/** No person writes so many slips; a file of another kind has them at once. */
const mostUnknown = 1000;

/**
 * Warnings of keys that nothing uses. Throws `ConfigError` (`key_unknown`) for one that was meant to hold the model back, and
 * for more than anybody would read.
 */
function reportUnknownKeys(paths: readonly KeyPath[], layer: RawLayer): readonly ConfigWarning[] {
  const [first] = paths;
  if (first !== undefined && paths.length > mostUnknown) {
    const key = formatKey(first);
    const message = `${paths.length} unknown keys, ${key} the first of them: this is not a config file for unroll. Correct or remove it.`;
    throw new ConfigError({ code: "key_unknown", message, key, origin: layer.locate(first) });
  }
  for (const path of paths) refuseRestraint(path, layer);
  const isUnused = (path: KeyPath): boolean => listUnusedKeys(path.slice(0, -1)).includes(path.at(-1) ?? "");
  const unused = paths.filter((path) => isUnused(path) && !isOff(path, layer));
  return [
    ...paths.filter((path) => !isUnused(path)).map((path) => reportUnknown(path, layer)),
    ...(unused.length === 0 ? [] : [reportUnused(unused, layer)]),
  ];
}

/** Throws `ConfigError` (`key_unknown`) for a key that restrains the model, or did so in the Codex CLI. */
function refuseRestraint(path: KeyPath, layer: RawLayer): void {
  const restraint = findUnkeptRestraint(path, valueAt(layer.table, path));
  if (restraint === null) return;
  const key = formatKey(restraint);
  const origin = layer.locate(restraint);
  const shown = `${key}${showValue(valueAt(layer.table, restraint))}`;
  const kept = keptValues[formatKey(toSettingsPath(restraint))];
  const meant = findMeant(restraint);
  const message =
    kept !== undefined
      ? `${shown} limits the model of the Codex CLI, and unroll cannot keep it: set ${key} = ${JSON.stringify(kept[0])}, or remove it.`
      : meant !== null && findWeight(meant) === "guard"
        ? `unknown key ${key}. Did you mean ${formatKey(meant)}? That key restricts the model, so unroll does not start without it: correct the name, or remove it.`
        : `unknown key ${shown}.${suggest(restraint, meant)} It looks like a limit for the model, so unroll does not start without it: correct the name, or remove it.`;
  throw new ConfigError({ code: "key_unknown", message, key, origin });
}

/** Plain words, numbers and booleans; anything else could be or contain a credential. */
function showValue(value: unknown): string {
  if (typeof value === "string") return /^:?[a-z][a-z_-]{0,30}$/.test(value) ? ` = ${JSON.stringify(value)}` : "";
  return typeof value === "number" || typeof value === "boolean" ? ` = ${value}` : "";
}

function reportUnknown(path: KeyPath, layer: RawLayer): ConfigWarning {
  const key = formatKey(path);
  const origin = layer.locate(path);
  if (key === "hooks") {
    const message = `${formatOrigin(origin)}: ${key}, a key of the Codex CLI, has no effect in unroll: it restricts nothing.`;
    return { code: "key_unknown", message, key, origin };
  }
  const meant = findMeant(path);
  if (meant !== null && findWeight(meant) === "guard") {
    const message = `unknown key ${key}. Did you mean ${formatKey(meant)}? That key restricts the model, so unroll does not start without it: correct the name, or remove it.`;
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
  return isTopLevel ? ` Did you mean ${name} at the top level? Then put it above the first [table].` : "";
}

/** Clients of the Codex CLI switch features of it off for each thread (`-c`): that is how unroll is anyway. */
function isOff(path: KeyPath, layer: RawLayer): boolean {
  const value = valueAt(layer.table, path);
  if (path.at(-1) !== "features" || formatOrigin(layer.locate(path)) !== "-c" || !isTable(value)) return false;
  return Object.values(value).every((each) => each === false);
}

/** All of a file in one sentence: who shares it with another harness need not read one for each. */
function reportUnused(paths: readonly KeyPath[], layer: RawLayer): ConfigWarning {
  const places = paths.map((path) => ({ key: formatKey(path), origin: layer.locate(path) }));
  const [first] = places;
  const where = first?.origin.type === "file" ? first.origin.path : formatOrigin(first?.origin ?? { type: "built_in" });
  const keys = places
    .map(({ key, origin }) => (origin.type === "file" ? `${key} (line ${origin.line})` : key))
    .join(", ");
  const message = `${where}: ${paths.length === 1 ? "a Codex key that has" : "Codex keys that have"} no effect in unroll: ${keys}.`;
  return { code: "key_unused", message };
}
