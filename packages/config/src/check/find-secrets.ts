import { findKey } from "../keys/config-schema.ts";
import { type Kind, kinds } from "../keys/kinds.ts";
import type { KeyPath } from "../toml/key-path.ts";
import { isTable } from "../toml/table.ts";

/** A text of a config that may be, or tell of, a credential. */
export interface FoundSecret {
  readonly path: KeyPath;
  readonly how: NonNullable<Kind["secret"]>;
  readonly text: string;
}

/** What of the value at `path` may be a credential; null: nothing. */
export function findSecrecy(path: KeyPath): FoundSecret["how"] | null {
  const kind = findKey(path)?.kind;
  return (typeof kind === "string" ? kinds[kind].secret : null) ?? null;
}

/** All of a table of `config.toml`, of services that are not in use, too. */
export function findSecrets(table: object): readonly FoundSecret[] {
  return listSecrets(table, []);
}

function listSecrets(table: object, path: KeyPath): readonly FoundSecret[] {
  return Object.entries<unknown>({ ...table }).flatMap(([name, value]) => {
    const place = [...path, name];
    const how = findSecrecy(place);
    if (how === null) return isTable(value) ? listSecrets(value, place) : [];
    const texts = isTable(value) ? Object.entries(value) : [[null, value] as const];
    return texts.flatMap(([key, text]) =>
      typeof text === "string" ? [{ path: key === null ? place : [...place, key], how, text }] : [],
    );
  });
}
