import { listPublicNames } from "./public-names.ts";
import type { Repository } from "./repository.ts";

/** A public name means one thing: one package declares it, at any number of its entries. Who passes it on `from` its owner is no second owner. */
export function checkNameOwners(repository: Repository): readonly string[] {
  const owners = new Map<string, readonly string[]>();
  for (const [file, names] of listPublicNames(repository)) {
    for (const { name, from } of names) if (from === null) owners.set(name, [...(owners.get(name) ?? []), file]);
  }
  return [...owners]
    .filter(([, files]) => new Set(files.map(toPackage)).size > 1)
    .map(([name, files]) => `${name} is exported by ${files.join(" and ")}: one name, one thing: rename one of them`);
}

/** `packages/core/src/index.ts` is of `packages/core`. */
function toPackage(file: string): string {
  return file.split("/").slice(0, 2).join("/");
}
