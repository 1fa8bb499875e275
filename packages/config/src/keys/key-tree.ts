import { once } from "@unroll/flow";
import { keySections } from "./key-sections.ts";
import type { KeyDeclaration } from "./key-declaration.ts";
import { toSchema } from "./kinds.ts";
import type { ValueSchema } from "./value-schema.ts";

/** A key with its whole name. */
export interface NamedKey extends KeyDeclaration {
  /** Dotted, from the top; `*` stands for a free name. */
  readonly name: string;
}

/** A place in `config.toml`: a key, a table, or a value in a table of free names. */
export interface KeyNode {
  /** Null for a table of keys, and for a value in a key's own table. */
  readonly key: NamedKey | null;
  /** What a value must be; null: a table of what is below. */
  readonly schema: ValueSchema | null;
  /** By name; `*` for any other one. */
  readonly below: ReadonlyMap<string, KeyNode>;
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

/** What stands at the top alone, and in no profile. */
const topNames: ReadonlySet<string> = new Set(["profile", "profiles", "projects"]);

const keyTree = once((): KeyNode => {
  const top = createNode(Array.from(keysByName().values(), (key) => ({ key, parts: key.name.split(".") })));
  const settings = new Map([...top.below].filter(([name]) => !topNames.has(name)));
  const profile = top.below.get("profiles")?.below.get("*")?.key ?? null;
  const profiles = {
    key: null,
    schema: null,
    below: new Map([["*", { key: profile, schema: null, below: settings }]]),
  };
  return { ...top, below: new Map([...top.below, ["profiles", profiles]]) };
});

interface PlacedKey {
  readonly key: NamedKey;
  /** Of its name, those that are not gone yet. */
  readonly parts: readonly string[];
}

function createNode(keys: readonly PlacedKey[]): KeyNode {
  const own = keys.find(({ parts }) => parts.length === 0)?.key ?? null;
  if (own !== null) return createLeaf(own, toSchema(own.kind));
  const groups = Map.groupBy(keys, ({ parts: [name = ""] }) => name);
  const below = Array.from(groups, ([name, each]) => {
    const deeper = each.map(({ key, parts }) => ({ key, parts: parts.slice(1) }));
    return [name, createNode(deeper)] as const;
  });
  return { key: null, schema: null, below: new Map(below) };
}

function createLeaf(key: NamedKey | null, schema: ValueSchema): KeyNode {
  const { additionalProperties: values } = schema;
  return { key, schema, below: new Map(values ? [["*", createLeaf(null, values)]] : []) };
}

/** What may stand at `path`; null: nothing. */
export function findNode(path: readonly string[]): KeyNode | null {
  let node: KeyNode | null = keyTree();
  for (const part of path) node = findBelow(node, part);
  return node;
}

/** What may stand there under this name; null: nothing. */
export function findBelow(node: KeyNode | null, name: string): KeyNode | null {
  return node?.below.get(name) ?? node?.below.get("*") ?? null;
}

/** The keys and tables that the table at `path` can have; none for a table of free names, and for what is no table. */
export function listKeys(path: readonly string[]): readonly string[] {
  return [...(findNode(path)?.below.keys() ?? [])].filter((name) => name !== "*");
}

/** Whether the table at `path` takes any name. */
export function takesFreeNames(path: readonly string[]): boolean {
  return findNode(path)?.below.has("*") ?? false;
}

/** What the key at `path`, or one around it, weighs; of a table, what all of its keys weigh. Null: nothing out of the ordinary. */
export function findWeight(path: readonly string[]): KeyDeclaration["weight"] | null {
  let node: KeyNode | null = keyTree();
  for (const part of path) {
    node = findBelow(node, part);
    const weight = node && weigh(node);
    if (weight) return weight;
  }
  return null;
}

function weigh({ key, below }: KeyNode): KeyDeclaration["weight"] | null {
  if (key !== null) return key.weight ?? null;
  const [first = null, ...others] = new Set(Array.from(below.values(), weigh));
  return others.length === 0 && !below.has("*") ? first : null;
}

/** What is at the top and the user's alone: no project's config can set it, or what is in its table. */
export const listUsersNames: () => readonly string[] = once(() => {
  const own = [...keysByName().values()].filter(({ by }) => by === "user");
  return [...new Set(own.map(({ name }) => name.split(".")[0] ?? ""))].toSorted();
});
