import { listEntries } from "./public-names.ts";
import type { Repository } from "./repository.ts";

const page = "docs/glossary.md";

/** Words that the glossary replaced are in no public name. */
export function checkGlossary(repository: Repository): readonly string[] {
  const rows = listReplaced(repository.read(page));
  if (rows.length === 0) return [`${page}: has no table of words and of what they replace`];
  return listEntries(repository).flatMap(({ unit, names, file }) =>
    unit.startsWith("packages/") ? names.flatMap(({ name }) => checkName({ name, file }, rows)) : [],
  );
}

interface Replaced {
  /** Lower case, with a blank between its words: `rule book`. */
  readonly words: string;
  readonly by: string;
}

function listReplaced(text: string): readonly Replaced[] {
  return text.split("\n").flatMap((line) => {
    const [, by = "", , not = ""] = line.split("|").map((cell) => cell.trim());
    return [...not.matchAll(/`([^`]+)`/g)].map(([, words = ""]) => ({ words, by }));
  });
}

function checkName(
  { name, file }: { readonly name: string; readonly file: string },
  rows: readonly Replaced[],
): readonly string[] {
  const words = ` ${name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " ").toLowerCase()} `;
  return rows
    .filter((row) => words.includes(` ${row.words} `))
    .map((row) => `${file}: public name ${name} says "${row.words}": ${page} has "${row.by}" for that`);
}
