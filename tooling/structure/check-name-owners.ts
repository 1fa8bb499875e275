import { listEntries } from "./public-names.ts";
import type { Repository } from "./repository.ts";

/**
 * A public name means one thing: one package declares it, at any number of its entries. A package that passes it on
 * `from` its owner is not a second owner.
 */
export function checkNameOwners(repository: Repository): readonly string[] {
  const owners = new Map<string, { readonly unit: string; readonly file: string }[]>();
  for (const { unit, file, names } of listEntries(repository)) {
    for (const { name, from } of names)
      if (from === null) owners.set(name, [...(owners.get(name) ?? []), { unit, file }]);
  }
  return [...owners]
    .filter(([, entries]) => new Set(entries.map(({ unit }) => unit)).size > 1)
    .map(([name, entries]) => {
      const files = entries.map(({ file }) => file).join(" and ");
      return `${name} is exported by ${files}: one name, one thing: rename one of them`;
    });
}
