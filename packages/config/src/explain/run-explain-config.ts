import type { ConfigSources } from "../config-sources.ts";
import { ConfigError } from "../fault/config-error.ts";
import { parseKey } from "../layer/parse-key.ts";
import { type ReadLayers, readLayers } from "../layer/read-layers.ts";
import { openCatalogue } from "../catalogue/open-catalogue.ts";
import { resolveConfig } from "../resolve/resolve-config.ts";
import type { ResolvedConfig } from "../resolved-config.ts";
import { findNearestName } from "../check/nearest-name.ts";
import { replaceDeprecatedKey } from "../keys/deprecated-keys.ts";
import { findKey, findSchema, keysByName, listKeys, type NamedKey, takesFreeNames } from "../keys/config-schema.ts";
import { listUnusedKeys } from "../keys/unused-keys.ts";
import { formatKey, type KeyPath } from "../toml/key-path.ts";
import { isTable } from "../toml/table.ts";
import { isWithin, valueAt } from "../toml/table-path.ts";
import type { ConfigExplanation, ExplainedKey } from "./config-explanation.ts";
import { writeTomlValue } from "../toml/write-toml-value.ts";
import { maskValue } from "./mask-value.ts";

/** See `explainConfig`. */
export async function runExplainConfig(sources: ConfigSources, key: string | null): Promise<ConfigExplanation> {
  const asked = key === null ? [] : toKnownPath(key);
  const read = await readLayers(sources);
  const resolved = await tryToResolve(read);
  const paths = listPaths(read, asked);
  // What nothing sets in a table that nobody made is no key of the config, but one that a person may ask for.
  const all = paths.length === 0 && findKey(asked) !== null ? [asked] : paths;
  const explained = { read, showDefault: createDefaultShow(resolved) };
  const keys = all.map((path) => explain(isWithin(path, asked) ? path : asked, explained));
  return { asked, keys, warnings: [...(resolved ?? read).warnings] };
}

/** Throws `ConfigError` (`key_unknown`) with what was probably meant. */
export function toKnownPath(key: string): KeyPath {
  const path = parseKey(key);
  if (path !== null && findSchema(path) !== null) return path;
  const parent = path?.slice(0, -1) ?? [];
  const name = path?.at(-1) ?? key;
  const isUnused = listUnusedKeys(parent).includes(name) || listUnusedKeys([]).includes(path?.[0] ?? "");
  const nearest = findNearestName(name, listKeys(parent));
  const hint =
    nearest === null ? "unroll config explain lists all." : `Did you mean ${formatKey([...parent, nearest])}?`;
  const renamed = path && replaceDeprecatedKey(path, undefined);
  if (renamed !== null) {
    const message = `${key} is an old key: in a file or a -c it is taken for ${formatKey(renamed.path)}. Name that.`;
    throw new ConfigError({ code: "key_unknown", message, key });
  }
  const message = isUnused
    ? `${key} has no effect in unroll, which knows but does not use it.`
    : `There is no key ${key}. ${hint}`;
  throw new ConfigError({ code: "key_unknown", message, key });
}

/** A config that cannot be used can still be explained. */
async function tryToResolve(read: ReadLayers): Promise<ResolvedConfig | null> {
  try {
    return resolveConfig({ ...read, catalogue: await openCatalogue(read) });
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

/** Every key that is documented, for each name that there is, and every other one that is set; those of one name together. */
function listPaths({ table, layers }: ReadLayers, asked: KeyPath): readonly KeyPath[] {
  const isAsked = (path: KeyPath): boolean => isWithin(path, asked) || isWithin(asked, path);
  const set = layers.flatMap((layer) => listSet(layer.table, [], isAsked));
  // a table of free names is told by what is in it
  const tables = new Set(set.map((path) => formatKey(path.slice(0, -1))));
  const known = [...keysByName().keys()]
    .map((name) => name.split("."))
    .filter((pattern) => asked.every((part, at) => [part, "*", undefined].includes(pattern[at])))
    .flatMap((pattern) => expand(pattern, table))
    .filter((path) => isAsked(path) && !tables.has(formatKey(path)));
  const byKey = new Map([...known, ...set].map((path) => [formatKey(path), path]));
  const byOwner = Map.groupBy(byKey.values(), ([first = "", id = ""]) =>
    takesFreeNames([first]) ? formatKey([first, id]) : first,
  );
  return [...byOwner.values()].flat();
}

/** `*` as each name that the config has there. */
function expand([part = "", ...rest]: KeyPath, table: object): readonly KeyPath[] {
  const names = part === "*" ? Object.keys(table) : [part];
  if (rest.length === 0) return part === "*" ? [] : [[part]];
  return names.flatMap((name) => {
    const value: unknown = Object.hasOwn(table, name) ? Reflect.get(table, name) : {};
    return expand(rest, isTable(value) ? value : {}).map((path) => [name, ...path]);
  });
}

/** Only what is asked for is gone into: a file may have a million keys. */
function listSet(table: object, path: KeyPath, isAsked: (path: KeyPath) => boolean): readonly KeyPath[] {
  return Object.entries<unknown>({ ...table }).flatMap(([key, value]) => {
    const below = [...path, key];
    if (!isAsked(below)) return [];
    const isLeaf = !isTable(value) || (findKey(below) !== null && !takesFreeNames(below) && below[0] !== "profiles");
    return isLeaf || (takesFreeNames(below) === false && Object.keys(value).length === 0)
      ? [below]
      : listSet(value, below, isAsked);
  });
}

interface Explained {
  readonly read: ReadLayers;
  readonly showDefault: (key: NamedKey | null) => ShownValue;
}

type ShownValue = Pick<ExplainedKey, "value" | "toml">;

/** Each name once: a hundred thousand servers have the same defaults. */
function createDefaultShow(resolved: ResolvedConfig | null): (key: NamedKey | null) => ShownValue {
  const shown = new Map<NamedKey | null, ShownValue>();
  return (key) => {
    const value = shown.get(key) ?? show(findDefault(key, resolved));
    shown.set(key, value);
    return value;
  };
}

function explain(path: KeyPath, { read, showDefault }: Explained): ExplainedKey {
  const set = read.layers.toReversed().flatMap((layer) => {
    const value = valueAt({ ...layer.table }, path);
    return value === undefined ? [] : [{ ...show(maskValue(path, value)), origin: layer.locate(path) }];
  });
  const found = findKey(path);
  const meaning = found?.text ?? null;
  const [top, ...shadows] = set;
  const key = formatKey(path);
  if (top !== undefined) return { key, path, ...top, depends: null, shadows, meaning };
  const standard = path[0] === "profiles" ? show(null) : showDefault(found);
  return {
    key,
    path,
    ...standard,
    origin: standard.value === null ? null : { type: "built_in" },
    depends: found?.otherwise ?? null,
    shadows,
    meaning,
  };
}

function show(value: unknown): ShownValue {
  return { value, toml: value === null ? "" : writeTomlValue(value) };
}

function findDefault(key: NamedKey | null, resolved: ResolvedConfig | null): unknown {
  return key?.default ?? (key === null || resolved === null ? null : findDependent(key.name, resolved));
}

/** Defaults that come of the model or the provider in use. */
function findDependent(name: string, { modelFamily, webSearchMode, compaction }: ResolvedConfig): unknown {
  const values: Readonly<Record<string, unknown>> = {
    model_context_window: modelFamily.contextWindow,
    model_auto_compact_token_limit: compaction.tokenLimit,
    shell_tool: modelFamily.shellTool,
    tool_output_token_limit: modelFamily.toolOutputTokens,
    web_search: webSearchMode,
  };
  return values[name] ?? null;
}
