import type { Repository } from "./repository.ts";

/** The exported names of each entry of each package and app, sorted. `from`: the package that it only passes on; else null. */
export function listPublicNames(repository: Repository): ReadonlyMap<string, readonly PublicName[]> {
  const files = repository.list("{packages,apps}/*/src/{index,node,openai}.ts");
  return new Map(files.map((file) => [file, publicNames(repository.read(file))]));
}

export interface PublicName {
  readonly name: string;
  readonly from: string | null;
}

function publicNames(index: string): readonly PublicName[] {
  return [...index.matchAll(/export (?:type )?\{([^}]*)\}(?: from "([^"]*)")?/g)]
    .flatMap(([, names = "", from = "."]) =>
      names.split(",").map((name) => ({
        name:
          name
            .trim()
            .replace(/^type /, "")
            .split(" as ")
            .at(-1) ?? "",
        from: from.startsWith(".") ? null : from,
      })),
    )
    .filter(({ name }) => name !== "")
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
