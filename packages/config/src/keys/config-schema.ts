import { once } from "@unroll/flow";
import type { KeyDeclaration, KeyFlag } from "./key-declaration.ts";
import { keySections } from "./key-sections.ts";
import { toSchema, kinds, showKind, type ValueSchema } from "./kinds.ts";

/** A key with its whole name. */
export interface NamedKey extends KeyDeclaration {
  /** Dotted, from the top; `*` stands for a free name. */
  readonly name: string;
}

/** Every key by its name, in the order of the page. */
export const keysByName: () => ReadonlyMap<string, NamedKey> = once(() => {
  const keys = keySections.flatMap(({ table, by, keys: own }) =>
    Object.entries(own).map(([key, declaration]) => {
      const name = table === undefined ? key : `${table}.*.${key}`;
      return [name, { ...(by && { by }), ...declaration, name }] as const;
    }),
  );
  return new Map(keys);
});

/** All of `config.toml`, with the meaning and the default of every key. */
export const configSchema: () => ValueSchema = once(() => {
  const keys = Array.from(keysByName().values(), (key) => ({ key, parts: key.name.split(".") }));
  const { properties = {}, ...table } = toTable(keys);
  const { profile: _profile, profiles = {}, projects: _projects, ...settings } = properties;
  const each = { ...profiles.additionalProperties, ...table, properties: settings };
  return { ...table, properties: { ...properties, profiles: { ...profiles, additionalProperties: each } } };
});

interface PlacedKey {
  readonly key: NamedKey;
  /** The parts of its name below a table. */
  readonly parts: readonly string[];
}

function toTable(keys: readonly PlacedKey[]): ValueSchema {
  const groups = Map.groupBy(keys, ({ parts: [name = ""] }) => name);
  const below = Object.fromEntries(
    Array.from(groups, ([name, each]) => {
      const leaf = each.find(({ parts }) => parts.length === 1)?.key;
      const deeper = each.map(({ key, parts }) => ({ key, parts: parts.slice(1) }));
      return [name, leaf === undefined ? toTable(deeper) : toLeaf(leaf)] as const;
    }),
  );
  if (below["*"] !== undefined) return { type: "object", additionalProperties: below["*"] };
  const required = keys.flatMap(({ key, parts }) => (parts.length === 1 && key.required ? parts : []));
  return { type: "object", properties: below, ...(required.length > 0 && { required }), additionalProperties: false };
}

function toLeaf({ kind, text, default: standard }: NamedKey): ValueSchema {
  return { description: text, ...(standard === undefined ? {} : { default: standard }), ...toSchema(kind) };
}

/** The schema of the value at `path`; null if nothing may be set there. */
export function findSchema(path: readonly string[]): ValueSchema | null {
  let schema: ValueSchema | null = configSchema();
  for (const name of path) schema = schema && findBelow(schema, name);
  return schema;
}

function findBelow({ properties = {}, additionalProperties }: ValueSchema, name: string): ValueSchema | null {
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return own ?? (additionalProperties || null);
}

/** The key at `path`; null for a table of keys, for a value in a key's own table, and for an unknown key. */
export function findKey(path: readonly string[]): NamedKey | null {
  return keysByName().get(toName(path)) ?? null;
}

/** With `*` for free names. */
function toName(path: readonly string[]): string {
  const settings = path.length === 2 ? path : toSettingsPath(path);
  let schema: ValueSchema | null = configSchema();
  const parts = settings.map((name) => {
    const isFree = !Object.hasOwn(schema?.properties ?? {}, name);
    schema = schema && findBelow(schema, name);
    return isFree ? "*" : name;
  });
  return parts.join(".");
}

/**
 * The keys and tables that the table at `path` can have; empty for a table of free names, and for
 * anything but a table.
 */
export function listKeys(path: readonly string[]): readonly string[] {
  return Object.keys(findSchema(path)?.properties ?? {});
}

/** Whether the table at `path` takes any name. */
export function takesFreeNames(path: readonly string[]): boolean {
  return Boolean(findSchema(path)?.additionalProperties);
}

/** The weight of the key at `path`, or of one around it; for a table, the one that all of its keys share. Null: nothing unusual. */
export function findWeight(path: readonly string[]): NonNullable<KeyDeclaration["weight"]> | null {
  const weights = path.map((_, index) => weigh(toName(path.slice(0, index + 1))));
  return weights.find((weight) => weight !== null) ?? null;
}

function weigh(name: string): NonNullable<KeyDeclaration["weight"]> | null {
  const own = keysByName().get(name);
  const keys = own ? [own] : [...keysByName().values()].filter((key) => key.name.startsWith(`${name}.`));
  const [first = null, ...others] = new Set(keys.map(({ weight }) => weight));
  return others.length === 0 && !keys.some((key) => key.name.includes("*", name.length)) ? first : null;
}

/**
 * Keys and tables that only the user can set: no project's config can set them, or anything in them.
 * A table at the top counts as a whole if all of its keys are the user's.
 */
export const listUsersPaths: () => readonly (readonly string[])[] = once(() => {
  const keys = [...keysByName().values()].map(({ name, by }) => ({ parts: name.split("."), isUsers: by === "user" }));
  const shared = new Set(keys.filter(({ isUsers }) => !isUsers).map(({ parts: [top] }) => top));
  const paths = keys
    .filter(({ isUsers }) => isUsers)
    .map(({ parts }) => (shared.has(parts[0]) ? parts.slice(0, [...parts, "*"].indexOf("*")) : parts.slice(0, 1)));
  return [...new Map(paths.map((path) => [path.join("."), path])).values()].toSorted(comparePaths);
});

function comparePaths(left: readonly string[], right: readonly string[]): number {
  return left.join(".") < right.join(".") ? -1 : 1;
}

/** A key of `config.toml`, for programs that set one: on a command line, or by its own flag. */
export interface ConfigKey {
  /** Dotted; `*` stands for a free name. */
  readonly name: string;
  /** The form of a value, for users, in Markdown. */
  readonly shown: string;
  /** The possible words; null: any value of its kind. */
  readonly choices: readonly string[] | null;
  /** The unit of a number that is a duration. Null: no duration, or ms. */
  readonly unit: "seconds" | null;
  readonly isNumber: boolean;
  /** The flag that sets it; null: it has none. */
  readonly flag: KeyFlag | null;
}

/** Every key, in the order of docs/config.md. */
export function listConfigKeys(): readonly ConfigKey[] {
  return Array.from(keysByName().values(), ({ name, kind, flag = null }) => {
    const { type = null, enum: words, anyOf } = toSchema(kind);
    const choices = words ?? anyOf?.[0].enum ?? (type === "boolean" ? ["true", "false"] : null);
    const unit = typeof kind === "string" ? (kinds[kind].unit ?? null) : null;
    return { name, shown: showKind(kind), choices, unit, isNumber: type === "integer" || type === "number", flag };
  });
}

/** The path within `profiles.NAME`, whose keys are those of the document; otherwise the path itself. */
export function toSettingsPath(path: readonly string[]): readonly string[] {
  return path[0] === "profiles" && path.length > 1 ? path.slice(2) : path;
}

/** The part before that: `profiles` and the name, or nothing. */
export function toProfilePath(path: readonly string[]): readonly string[] {
  return path.slice(0, path.length - toSettingsPath(path).length);
}
