import { ConfigError } from "../fault/config-error.ts";
import type { ConfigWarning } from "../fault/config-warning.ts";
import type { Table } from "../toml/table.ts";
import type { ConfigLayer, RawLayer } from "./config-layer.ts";
import { formatKey, type KeyPath } from "../toml/key-path.ts";
import { withoutValue } from "../toml/table-path.ts";
import { formatOrigin } from "../fault/origin.ts";
import { configSchema, listKeys } from "../schema/config-schema.ts";
import { describeIssue, type ConfigIssue } from "../schema/describe-issue.ts";
import { findNearestName } from "../schema/nearest-name.ts";
import { listUnusedKeys } from "../schema/unused-keys.ts";

/** Compiling the schema, zod's default, pays off at the tenth file; there are one or two. */
const parseOnce = { jitless: true };

/**
 * Sees to it that a layer has nothing but known keys with values of their types. Unknown keys are left out and become
 * warnings. Throws `ConfigError` (`value_invalid`) at the first wrong value.
 */
export function checkLayer(layer: RawLayer): ConfigLayer {
  const result = configSchema.safeParse(layer.table, parseOnce);
  if (result.success) return { ...layer, table: result.data, warnings: [] };
  const issues: readonly ConfigIssue[] = result.error.issues;
  const fault = issues.find((issue) => issue.code !== "unrecognized_keys");
  if (fault !== undefined) throw toError(fault, layer);

  const extra = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path.map(String), key]) : [],
  );
  const unknown = extra.filter((path) => !listUnusedKeys(path.slice(0, -1)).includes(path.at(-1) ?? ""));
  return {
    ...layer,
    table: configSchema.parse(extra.reduce(withoutValue, layer.table), parseOnce),
    warnings: unknown.map((path) => toWarning(path, layer)),
  };
}

function toError(issue: ConfigIssue, layer: RawLayer): ConfigError {
  const names = issue.path.filter((part) => typeof part === "string");
  // The last name of an `invalid_key` is the bad one, which may be anything: it is not repeated.
  const path = issue.code === "invalid_key" ? names.slice(0, -1) : names;
  const index = issue.path.find((part) => typeof part === "number");
  const entry = index === undefined ? "" : ` (entry ${index + 1})`;
  const key = formatKey(path);
  return new ConfigError({
    code: "value_invalid",
    message: `${key}${entry} ${describeIssue(issue, valueAt(layer.table, issue.path))}.`,
    key,
    origin: layer.locate(path),
  });
}

function toWarning(path: KeyPath, layer: RawLayer): ConfigWarning {
  const key = formatKey(path);
  const origin = layer.locate(path);
  const message = `${formatOrigin(origin)}: unknown key ${key}: it has no effect.${suggest(path)}`;
  return { code: "key_unknown", message, key, origin };
}

function suggest(path: KeyPath): string {
  const table = path.slice(0, -1);
  const name = path.at(-1) ?? "";
  const nearest = findNearestName(name, [...listKeys(table), ...listUnusedKeys(table)]);
  if (nearest !== null) return ` Did you mean ${formatKey([...table, nearest])}?`;
  const isTopLevel = table.length > 0 && listKeys([]).includes(name);
  return isTopLevel ? ` Did you mean ${name} at the top? Then put it above the first [table].` : "";
}

function valueAt(table: Table, path: readonly PropertyKey[]): unknown {
  let value: unknown = table;
  for (const part of path) value = typeof value === "object" && value !== null ? Reflect.get(value, part) : undefined;
  return value;
}
