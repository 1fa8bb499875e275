import { toSettingsPath } from "../schema/settings-path.ts";
import type { KeyDoc } from "./keys/key-section.ts";
import { keySections } from "./keys/key-sections.ts";

/** All keys of the page, dotted from the top, `*` for a free name. */
export const keyDocs: ReadonlyMap<string, KeyDoc> = new Map(
  keySections.flatMap(({ table, keys }) =>
    Object.entries(keys).map(([key, doc]) => [table === null ? key : `${table}.*.${key}`, doc] as const),
  ),
);

interface NamedDoc {
  readonly name: string;
  readonly parts: readonly string[];
  readonly doc: KeyDoc;
}

/** By where they begin and how many parts they have: a config may have a hundred thousand keys. */
const byBeginning: ReadonlyMap<string, readonly NamedDoc[]> = Map.groupBy(
  Array.from(keyDocs, ([name, doc]) => ({ name, parts: name.split("."), doc })),
  ({ parts }) => toBeginning(parts),
);

function toBeginning(parts: readonly string[]): string {
  return `${parts.length} ${parts[0] ?? ""}`;
}

/** The dotted name of a key, its free names as `*`, and what is told of it; null for a table, or what is no key. */
export function findKeyDoc(path: readonly string[]): { readonly name: string; readonly doc: KeyDoc } | null {
  const settings = toSettingsPath(path);
  const found = byBeginning
    .get(toBeginning(settings))
    ?.find(({ parts }) => parts.every((part, at) => part === "*" || part === settings[at]));
  return found ?? null;
}
