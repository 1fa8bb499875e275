import { existsSync } from "node:fs";
import { join } from "node:path";
import { findSecrecy, isCredential } from "./check/find-secrets.ts";
import { findNearestName } from "./check/nearest-name.ts";
import { ConfigError, type ConfigWarning, type Origin } from "./config-error.ts";
import type { ConfigSources } from "./config-sources.ts";
import { findKey, findSchema, keysByName, listKeys, type NamedKey, takesFreeNames } from "./keys/config-schema.ts";
import { replaceDeprecatedKey, listUnusedKeys } from "./keys/deprecated-keys.ts";
import { parseKey } from "./layer/parse-key.ts";
import { listFolders } from "./layer/project-layer.ts";
import { type ReadLayers, readLayers } from "./layer/read-layers.ts";
import { openCatalogue } from "./load-config.ts";
import { resolveConfig } from "./resolve/resolve-config.ts";
import type { ResolvedConfig } from "./resolved-config.ts";
import { formatKey, type KeyPath, isTable, isWithin, valueAt } from "./toml/table.ts";
import { writeTomlValue } from "./toml/write-toml-value.ts";

/**
 * Explains a key and all keys below it; null: every key. `key` is dotted, as in `ConfigOverride`.
 * Throws `ConfigError`: `key_unknown` for an unknown key, and for unreadable files the same errors
 * as `loadConfig`.
 */
export async function explainConfig(sources: ConfigSources, key: string | null): Promise<ConfigExplanation> {
  const asked = key === null ? [] : toKnownPath(key);
  const read = await readLayers(sources);
  const resolved = await tryToResolve(read);
  const paths = listPaths(read, asked);
  // A key in a table that is not in the config is not listed, but you can ask for it.
  const all = paths.length === 0 && findKey(asked) !== null ? [asked] : paths;
  const explained = { read, showDefault: createDefaultShow(resolved) };
  const keys = all.map((path) => explain(isWithin(path, asked) ? path : asked, explained));
  return { asked, keys, warnings: [...(resolved ?? read).warnings] };
}

/** Throws `ConfigError` (`key_unknown`) with the closest known key. */
export function toKnownPath(key: string): KeyPath {
  const path = parseKey(key);
  if (path !== null && findSchema(path) !== null) return path;
  const parent = path?.slice(0, -1) ?? [];
  const name = path?.at(-1) ?? key;
  const isUnused = listUnusedKeys(parent).includes(name) || listUnusedKeys([]).includes(path?.[0] ?? "");
  const nearest = findNearestName(name, listKeys(parent));
  const hint =
    nearest === null ? "unroll config explain lists all keys." : `Did you mean ${formatKey([...parent, nearest])}?`;
  const renamed = path && replaceDeprecatedKey(path, undefined);
  if (renamed !== null) {
    const message = `${key} is the old name of ${formatKey(renamed.path)}: use the new name.`;
    throw new ConfigError({ code: "key_unknown", message, key });
  }
  const message = isUnused ? `${key} is a Codex key that has no effect in unroll.` : `There is no key ${key}. ${hint}`;
  throw new ConfigError({ code: "key_unknown", message, key });
}

/** Null for a config that cannot be used: it can still be explained. */
async function tryToResolve(read: ReadLayers): Promise<ResolvedConfig | null> {
  try {
    return resolveConfig({ ...read, catalogue: await openCatalogue(read) });
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

/**
 * Every documented key, for each name in use, and every other key that is set. Keys with the same
 * name stay together.
 */
function listPaths({ table, layers }: ReadLayers, asked: KeyPath): readonly KeyPath[] {
  const isAsked = (path: KeyPath): boolean => isWithin(path, asked) || isWithin(asked, path);
  const set = layers.flatMap((layer) => listSet(layer.table, [], isAsked));
  // A table of free names is explained by its keys.
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

/** Replaces `*` by each name in the config. */
function expand([part = "", ...rest]: KeyPath, table: object): readonly KeyPath[] {
  const names = part === "*" ? Object.keys(table) : [part];
  if (rest.length === 0) return part === "*" ? [] : [[part]];
  return names.flatMap((name) => {
    const value: unknown = Object.hasOwn(table, name) ? Reflect.get(table, name) : {};
    return expand(rest, isTable(value) ? value : {}).map((path) => [name, ...path]);
  });
}

/** Descends only into what was asked for: a file may have a million keys. */
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

/** Renders the defaults of each section once: 100,000 servers have the same ones. */
function createDefaultShow(resolved: ResolvedConfig | null): (key: NamedKey | null) => ShownValue {
  const shown = new Map<NamedKey | null, ShownValue>();
  return (key) => {
    const found = key?.default ?? (key === null || resolved === null ? null : findDependent(key.name, resolved));
    const value = shown.get(key) ?? show(found);
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

/** Defaults that depend on the model or the provider in use. */
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

/** Shown instead of a credential. */
const masked = "[secret]";

/** The value as it may be shown: without anything that is, or may be, a credential. */
function maskValue(path: KeyPath, value: unknown): unknown {
  if (isTable(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, maskValue([...path, key], each)]));
  }
  const how = findSecrecy(path);
  if (how === "value" || findSecrecy(path.slice(0, -1)) === "names") return masked;
  if (how === "query" && typeof value === "string") return maskAddress(value);
  return how === "arguments" && Array.isArray(value) ? maskArguments(value.map(String)) : value;
}

/** Services often put keys into the query of an address. */
function maskAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null) return masked;
  const login = url.username + url.password === "" ? "" : `${masked}@`;
  return `${url.protocol}//${login}${url.host}${url.pathname}${url.search + url.hash === "" ? "" : `?${masked}`}`;
}

/** `--token X`, `--token=X`, `Authorization: X`. */
function maskArguments(args: readonly string[]): readonly string[] {
  return args.map((arg, index) => {
    const [, name = "", sign = "", value = ""] = /^([^=:]*)([=:]\s*)(.*)$/s.exec(arg) ?? [];
    if (isCredential(name, value)) return `${name}${sign}${masked}`;
    const before = args[index - 1] ?? "";
    return before.startsWith("-") && isCredential(before, arg) ? masked : arg;
  });
}

/** A value as it may be shown; a credential is `[secret]`. */
interface ShownValue {
  readonly value: unknown;
  /** The same value as TOML; empty for null. */
  readonly toml: string;
}

/** Why a key has its value. `value` null: nothing sets it, and it has no default. */
export interface ExplainedKey extends ShownValue {
  /** Dotted key, quoted where TOML would quote it. */
  readonly key: string;
  readonly path: readonly string[];
  /** Where it is set; `built_in` for a default, null: nowhere. */
  readonly origin: Origin | null;
  /** The facts that the default depends on, in Markdown; null: none, or the key is set. */
  readonly depends: string | null;
  /** Other places that set the key without effect, the closest first. */
  readonly shadows: readonly (ShownValue & { readonly origin: Origin })[];
  /** The key's meaning, in Markdown; null: its name says it all. */
  readonly meaning: string | null;
}

/** The values of keys, where they are set, and what they override. */
export interface ConfigExplanation {
  /** The key or table that was asked for; empty: all. */
  readonly asked: readonly string[];
  /** In the order of the documentation, followed by keys with free names in file order. */
  readonly keys: readonly ExplainedKey[];
  /** Settings that are not read or have no effect, and why. */
  readonly warnings: readonly ConfigWarning[];
}

/**
 * The files of all layers, lowest first, whether they exist or not. Throws the same `ConfigError`s
 * as `loadConfig`.
 */
export async function listConfigFiles(sources: ConfigSources): Promise<readonly ConfigFile[]> {
  const { cwd, projectRoot, profileFile, warnings } = await readLayers(sources);
  const user = join(sources.codexHome, "config.toml");
  const { systemFile } = sources;
  const refusals = warnings.filter(({ code }) => code === "project_not_trusted" || code === "project_config_changed");
  const describe = (path: string, owner: ConfigFile["owner"]): ConfigFile => {
    const refusal = owner === "project" && refusals.find(({ message }) => message.includes(path));
    if (refusal) return { path, owner, state: "refused", reason: refusal.message };
    return { path, owner, state: existsSync(path) ? "read" : "missing", reason: null };
  };
  const project = listFolders(projectRoot ?? cwd, cwd).map((folder) => join(folder, ".codex", "config.toml"));
  return [
    ...(systemFile === undefined || systemFile === user ? [] : [describe(systemFile, "system")]),
    describe(user, "user"),
    ...(profileFile === null ? [] : [describe(profileFile, "user")]),
    ...project.filter((path) => path !== user).map((path) => describe(path, "project")),
  ];
}

/** A file that the configuration may be read from. */
export interface ConfigFile {
  readonly path: string;
  readonly owner: "system" | "user" | "project";
  readonly state: "read" | "missing" | "refused";
  /** Why it is not read, for the user; null: it is read, or does not exist. */
  readonly reason: string | null;
}
