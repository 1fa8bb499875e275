import { toSettingsPath } from "../schema/settings-path.ts";
import { type KeyDoc, keySections } from "./key-docs.ts";

/** All keys of the page, dotted from the top, `*` for a free name. */
export const keyDocs: ReadonlyMap<string, KeyDoc> = new Map(
  keySections.flatMap(({ table, keys }) =>
    Object.entries(keys).map(([key, doc]) => [table === null ? key : `${table}.*.${key}`, doc] as const),
  ),
);

/** The dotted name of a key, its free names as `*`, and what is told of it; null for a table, or what is no key. */
export function findKeyDoc(path: readonly string[]): { readonly name: string; readonly doc: KeyDoc } | null {
  const settings = toSettingsPath(path);
  for (const [name, doc] of keyDocs) {
    const parts = name.split(".");
    if (parts.length === settings.length && parts.every((part, at) => part === "*" || part === settings[at])) {
      return { name, doc };
    }
  }
  return null;
}
