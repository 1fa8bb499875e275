import { ConfigError } from "../fault/config-error.ts";
import type { ConfigWarning } from "../fault/config-warning.ts";
import { formatOrigin, type Origin } from "../fault/origin.ts";
import { createConfigSchema } from "../schema/config-schema.ts";
import { type ConfigIssue, describeIssue, unfoldIssue } from "../schema/describe-issue.ts";
import { isHarmless } from "../schema/key-weight.ts";
import { formatKey, type KeyPath } from "../toml/key-path.ts";
import { valueAt, withoutValues } from "../toml/table-path.ts";
import type { ConfigLayer, RawLayer } from "./config-layer.ts";
import { replaceOldKeys } from "./replace-old-keys.ts";
import { reportUnknownKeys } from "./report-unknown-keys.ts";

/** Makes a layer with faults into one without, or throws `ConfigError`. `issues` are those of its table. */
export function mendLayer(layer: RawLayer, issues: readonly ConfigIssue[]): ConfigLayer {
  const renewed = replaceOldKeys(layer);
  const raw = renewed.warnings.length === 0 ? issues : parse(renewed.layer);
  const found = raw.flatMap((issue) => unfoldIssue(issue, renewed.layer.table));
  const wrong = leaveOutWrongValues(renewed.layer, found);
  const extra = found.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path.map(String), key]) : [],
  );
  const unknown = reportUnknownKeys(extra, renewed.layer);
  return {
    ...renewed.layer,
    table: createConfigSchema().parse(withoutValues(wrong.layer.table, extra), { jitless: true }),
    warnings: [...renewed.warnings, ...wrong.warnings, ...unknown].toSorted(comparePlaces),
  };
}

/** As one reads the file. */
function comparePlaces({ origin: a }: ConfigWarning, { origin: b }: ConfigWarning): number {
  return a?.type === "file" && b?.type === "file" ? a.line - b.line || a.column - b.column : 0;
}

function parse({ table }: RawLayer): readonly ConfigIssue[] {
  return createConfigSchema(table).safeParse(table, { jitless: true }).error?.issues ?? [];
}

interface MendedLayer {
  readonly layer: RawLayer;
  readonly warnings: readonly ConfigWarning[];
}

/** Throws at the first that is not harmless. */
function leaveOutWrongValues(layer: RawLayer, issues: readonly ConfigIssue[]): MendedLayer {
  const paths: KeyPath[] = [];
  const warnings: ConfigWarning[] = [];
  const seen = new Set<string>();
  for (const issue of issues) {
    if (issue.code === "unrecognized_keys") continue;
    const { path, key, message } = describe(issue, layer);
    const origin = layer.locate(path);
    if (origin.type !== "file" || !isHarmless(path))
      throw new ConfigError({ code: "value_invalid", message, key, origin });
    paths.push(path);
    if (!seen.has(key)) warnings.push(toWarning(message, key, origin));
    seen.add(key);
  }
  return { layer: { ...layer, table: withoutValues(layer.table, paths) }, warnings };
}

function describe(issue: ConfigIssue, layer: RawLayer): { path: readonly string[]; key: string; message: string } {
  const at = issue.path.findIndex((part) => typeof part === "number");
  const names = (at === -1 ? issue.path : issue.path.slice(0, at)).map(String);
  // The last name of an `invalid_key` is the bad one, which may be anything: it is not repeated.
  const path = issue.code === "invalid_key" ? names.slice(0, -1) : names;
  const entry = at === -1 ? "" : ` (entry ${Number(issue.path[at]) + 1})`;
  const key = formatKey(path);
  const value = valueAt(layer.table, issue.path);
  const hint = layer.isPlainText?.() === true && typeof value === "string" ? notToml : "";
  return { path, key, message: `${key}${entry} ${describeIssue(issue, value)}${hint}.` };
}

const notToml = ", since it is not TOML and so was taken as it stands";

function toWarning(message: string, key: string, origin: Origin): ConfigWarning {
  const text = `${formatOrigin(origin)}: ${message.slice(0, -1)}. It is left out.`;
  return { code: "value_ignored", message: text, key, origin };
}
