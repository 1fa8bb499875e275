import type { Fault, Findings } from "../check/find-faults.ts";
import { ConfigError } from "../fault/config-error.ts";
import type { ConfigWarning } from "../fault/config-warning.ts";
import { formatOrigin } from "../fault/origin.ts";
import { findWeight } from "../keys/config-schema.ts";
import { formatKey } from "../toml/key-path.ts";
import { withoutValues } from "../toml/table-path.ts";
import type { ConfigLayer, RawLayer } from "./config-layer.ts";
import { parseConfigTable } from "./parse-config-table.ts";
import { replaceOldKeys } from "./replace-old-keys.ts";
import { reportUnknownKeys } from "./report-unknown-keys.ts";

/**
 * Sees to it that a layer has nothing but known keys with values of their types. Old keys are taken for what they are called
 * now. Unknown ones, and wrong values of light keys in a file, are left out and become warnings. Throws
 * `ConfigError` (`value_invalid`, `key_unknown`) at the first of the others.
 */
export function checkLayer(layer: RawLayer): ConfigLayer {
  const parsed = parseConfigTable(layer.table);
  return "table" in parsed ? { ...layer, table: parsed.table, warnings: [] } : mendLayer(layer, parsed);
}

function mendLayer(layer: RawLayer, findings: Findings): ConfigLayer {
  const renewed = replaceOldKeys(layer);
  const { table } = renewed.layer;
  const rest = renewed.warnings.length === 0 ? findings : parseConfigTable(table);
  if ("table" in rest) return { ...renewed.layer, table: rest.table, warnings: renewed.warnings };
  const wrong = reportFaults(rest.faults, renewed.layer);
  const unknown = reportUnknownKeys(rest.unknown, renewed.layer);
  const mended = parseConfigTable(withoutValues(table, [...rest.unknown, ...rest.faults.map(({ path }) => path)]));
  if (!("table" in mended)) throw new Error("A table that was mended is still wrong.");
  const warnings = [...renewed.warnings, ...wrong, ...unknown].toSorted(comparePlaces);
  return { ...renewed.layer, table: mended.table, warnings };
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
    const [entry] = fault.inside;
    const at = typeof entry === "number" ? ` (entry ${entry + 1})` : "";
    const hint = layer.isPlainText?.() === true && typeof fault.value === "string" ? notToml : "";
    const message = `${key}${at} ${fault.words}${hint}`;
    const origin = layer.locate(fault.path);
    if (origin.type !== "file" || findWeight(fault.path) !== "light")
      throw new ConfigError({ code: "value_invalid", message: `${message}.`, key, origin });
    const text = `${formatOrigin(origin)}: ${message}. It is left out.`;
    if (!warnings.has(key)) warnings.set(key, { code: "value_ignored", message: text, key, origin });
  }
  return [...warnings.values()];
}

const notToml = ", since it is not TOML and so was taken as it stands";
