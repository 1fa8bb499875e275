import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseNameTable } from "./parse-tables.ts";
import { type Entry, listEntries } from "./public-names.ts";
import type { Repository } from "./repository.ts";

const pins = "tooling/public-names.json";

/** A new public name is a decision: it changes the pinned list in the same commit. */
export function checkPublicNames(repository: Repository): readonly string[] {
  const entries = entriesOfPackages(repository);
  const pinned = parseNameTable(repository.read(pins));
  return [...new Set([...entries.map(({ name }) => name), ...Object.keys(pinned)])].flatMap((name) => {
    const entry = entries.find((each) => each.name === name);
    const [now, before] = [entry?.names.map((each) => each.name) ?? [], pinned[name] ?? []];
    const say = (each: string, what: string): string =>
      `${entry?.file ?? `${pins}: ${name}`}: public name ${each} ${what}: if that is meant, run node tooling/check-structure.mjs --write-names`;
    return [
      ...now.filter((each) => !before.includes(each)).map((each) => say(each, "is new")),
      ...before.filter((each) => !now.includes(each)).map((each) => say(each, "is gone")),
    ];
  });
}

export function writePublicNames(repository: Repository): void {
  const names = entriesOfPackages(repository).map(
    (entry) => [entry.name, entry.names.map(({ name }) => name)] as const,
  );
  writeFileSync(join(repository.root, pins), `${JSON.stringify(Object.fromEntries(names), null, 2)}\n`);
}

/** Apps are for the command alone: what they export is nobody's but its. */
function entriesOfPackages(repository: Repository): readonly Entry[] {
  return listEntries(repository).filter(({ unit }) => unit.startsWith("packages/"));
}
