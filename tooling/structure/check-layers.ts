import { listImports, parseManifest, parseNameTable } from "./parse-tables.ts";
import type { Repository } from "./repository.ts";

const page = "docs/architecture.md";
const table = "tooling/layers.json";

/** Packages that every package above L0 may import, so that the page does not repeat them. */
const forAll: readonly string[] = ["text", "flow"];

type Allowances = Readonly<Record<string, readonly string[]>>;

/** Each package is in the table of layers, depends on what that allows and on all of it, and the page has the same table. */
export function checkLayers(repository: Repository): readonly string[] {
  const layers = parseNameTable(repository.read(table));
  const units = repository.list("{packages,apps}/*/package.json").map((file) => file.slice(0, -"/package.json".length));
  return [
    ...units.flatMap((unit) => checkUnit(repository, unit, layers[unit])),
    ...Object.keys(layers).flatMap((unit) => (units.includes(unit) ? [] : [`${table}: there is no ${unit}`])),
    ...(repository.has(page) ? comparePage(readPage(repository.read(page)), layers) : []),
  ];
}

function checkUnit(repository: Repository, unit: string, allowed: readonly string[] | undefined): readonly string[] {
  if (allowed === undefined) return [`${unit}: not in ${table}: give it a layer in ${page} first`];
  const file = `${unit}/package.json`;
  const used = listImports(parseManifest(repository.read(file)));
  const isIdle = (name: string): boolean => !forAll.includes(name) && !used.includes(name);
  return [
    ...used
      .filter((name) => !allowed.includes(name))
      .map((name) => `${file}: may not depend on @unroll/${name}: the layers of ${page} do not allow it`),
    ...allowed
      .filter(isIdle)
      .map((name) => `${table}: ${unit} may import ${name} and does not: take that out, here and in ${page}`),
  ];
}

function comparePage(told: Allowances, layers: Allowances): readonly string[] {
  return [...new Set([...Object.keys(layers), ...Object.keys(told)])].flatMap((unit) => {
    const [here, there] = [told[unit], layers[unit]];
    if (here === undefined) return [`${page}: its table lacks ${unit}`];
    if (there === undefined) return [`${page}: its table has ${unit}, which ${table} lacks`];
    const [says, holds] = [here, there].map((names) =>
      names
        .filter((name) => !forAll.includes(name))
        .toSorted()
        .join(", "),
    );
    return says === holds ? [] : [`${page}: its table lets ${unit} import [${says}], ${table} [${holds}]`];
  });
}

/**
 * Reads the rows "| `core` | what it owns | protocol, prompt |": `-` means none; text in brackets or after `;`
 * explains.
 */
function readPage(text: string): Allowances {
  const rows = [...text.matchAll(/^\| `([\w/-]+)` \|.*\| ([^|]+) \|$/gm)];
  return Object.fromEntries(
    rows.map(([, name = "", column = ""]) => [
      name.startsWith("apps/") ? name : `packages/${name}`,
      (column.split(";")[0] ?? "")
        .replaceAll(/\([^)]*\)/g, "")
        .split(",")
        .map((each) => each.trim().replaceAll("`", ""))
        .filter((each) => each !== "-"),
    ]),
  );
}
