import { posix } from "node:path";
import { parseManifest } from "./parse-tables.ts";
import type { Repository } from "./repository.ts";

/** One name by which a package or app is imported. */
export interface Entry {
  /** `core`, `harness/node`: as it is imported, without the scope. */
  readonly name: string;
  /** `packages/core` */
  readonly unit: string;
  /** `packages/core/src/index.ts` */
  readonly file: string;
  /** Sorted. */
  readonly names: readonly PublicName[];
}

interface PublicName {
  readonly name: string;
  /** The package that it is only passed on from; null: it is of this one. */
  readonly from: string | null;
  /** The file that the entry takes it from; null where `from` is not. */
  readonly file: string | null;
}

/** Every entry that `exports` of a `package.json` opens: those of sources, not fixtures of tests, which are not published. */
export function listEntries(repository: Repository): readonly Entry[] {
  return repository.list("{packages,apps}/*/package.json").flatMap((manifest) => {
    const unit = posix.dirname(manifest);
    const { exports = {} } = parseManifest(repository.read(manifest));
    return Object.entries(exports).flatMap(([path, target]) => {
      const source = typeof target === "string" ? target : (target["@unroll/source"] ?? "");
      if (!source.startsWith("./src/")) return [];
      const file = posix.join(unit, source);
      const name = posix.join(posix.basename(unit), path);
      return [{ name, unit, file, names: listNames(repository, file) }];
    });
  });
}

function listNames(repository: Repository, file: string): readonly PublicName[] {
  const listed = repository.source(file).exports.flatMap(({ name, from }): readonly PublicName[] => {
    if (from !== null && !from.startsWith(".")) return name === null ? [] : [{ name, from, file: null }];
    const target = from === null ? file : posix.join(posix.dirname(file), from);
    return name === null ? listNames(repository, target) : [{ name, from: null, file: target }];
  });
  const names = new Map(listed.map((each) => [each.name, each])); // one that is named, too, stands once
  return [...names.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
