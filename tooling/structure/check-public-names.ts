import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseNameTable } from "./parse-tables.ts";
import { listPublicNames } from "./public-names.ts";
import type { Repository } from "./repository.ts";

const pins = "tooling/public-names.json";

/** A new public name is a decision: it changes the pinned list in the same commit. */
export function checkPublicNames(repository: Repository): readonly string[] {
  const found = namesOfPackages(repository);
  const pinned = parseNameTable(repository.read(pins));
  return [...new Set([...Object.keys(found), ...Object.keys(pinned)])].flatMap((name) => {
    const [now, before] = [found[name] ?? [], pinned[name] ?? []];
    const say = (each: string, what: string): string =>
      `${toFile(name)}: public name ${each} ${what}: if that is meant, run node tooling/check-structure.mjs --write-names`;
    return [
      ...now.filter((each) => !before.includes(each)).map((each) => say(each, "is new")),
      ...before.filter((each) => !now.includes(each)).map((each) => say(each, "is gone")),
    ];
  });
}

export function writePublicNames(repository: Repository): void {
  writeFileSync(join(repository.root, pins), `${JSON.stringify(namesOfPackages(repository), null, 2)}\n`);
}

function namesOfPackages(repository: Repository): Readonly<Record<string, readonly string[]>> {
  const entries = [...listPublicNames(repository)]
    .filter(([file]) => file.startsWith("packages/"))
    .map(([file, names]) => [toEntry(file), names.map(({ name }) => name)] as const);
  return Object.fromEntries(entries);
}

/** `core` of `packages/core/src/index.ts`, `harness/node` of `packages/harness/src/node.ts`. */
function toEntry(file: string): string {
  const [, name = "", , entry = ""] = file.split("/");
  return entry === "index.ts" ? name : `${name}/${entry.slice(0, -".ts".length)}`;
}

function toFile(name: string): string {
  const [folder, entry = "index"] = name.split("/");
  return `packages/${folder}/src/${entry}.ts`;
}
