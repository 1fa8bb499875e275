import { isExcused } from "../is-excused.ts";
import type { Repository } from "../repository.ts";
import { type Idiom, parseAllowance, parseIdioms } from "./parse-words.ts";
import { findSentences, listProse, type Sentence } from "./prose.ts";

const idiomFile = "tooling/structure/words/idioms.json";
/** How many idioms each file still has, until all are rewritten. It may only shrink. */
export const allowanceFile = "tooling/structure/words/idioms-allowance.json";

/** One idiom in one sentence. */
interface IdiomHit extends Sentence {
  readonly phrase: string;
  readonly instead: string;
}

/** Prose for people has none of the phrases in `idioms.json`, beyond what the allowance still gives to its file. */
export function checkIdioms(repository: Repository, files = listProse(repository)): readonly string[] {
  const allowance = readAllowance(repository);
  return Object.entries(Object.groupBy(findIdioms(repository, files), ({ file }) => file)).flatMap(
    ([file, hits = []]) => {
      const allowed = allowance[file] ?? 0;
      if (hits.length <= allowed) return [];
      const count =
        allowed === 0 ? [] : [`${file}: ${hits.length} idioms, ${allowed} at most: rewrite those you added`];
      return [...count, ...hits.map(renderHit)];
    },
  );
}

export function findIdioms(repository: Repository, files = listProse(repository)): readonly IdiomHit[] {
  const rules = parseIdioms(repository.read(idiomFile)).map((idiom) => ({ ...idiom, matches: compile(idiom) }));
  return findSentences(repository, files).flatMap((sentence) => {
    const masked = maskCode(sentence.text);
    return rules.flatMap(({ matches, instead, in: kinds }) => {
      if (kinds !== undefined && !kinds.includes(sentence.kind)) return [];
      const found = matches.exec(masked);
      if (found === null || isModelText(sentence, repository)) return [];
      return [{ ...sentence, phrase: sentence.text.slice(found.index, found.index + found[0].length), instead }];
    });
  });
}

/** Whether the line above says so, in a file that writes for users too: `// structure-ignore idioms: for the model`. */
function isModelText({ kind, file, line }: Sentence, repository: Repository): boolean {
  return kind === "text" && isExcused(repository.source(file), line, "idioms");
}

export function renderHit({ file, line, text, phrase, instead }: IdiomHit): string {
  const shown = phrase.length > 40 ? `${phrase.slice(0, 39)}…` : phrase;
  return `${file}:${line}: "${shown}" → ${instead}\n    ${text}`;
}

/** Takes away what was rewritten since; gives nothing to a file that has none. */
export function shrinkAllowance(repository: Repository): Readonly<Record<string, number>> {
  const counts = Object.groupBy(findIdioms(repository), ({ file }) => file);
  const entries = Object.entries(readAllowance(repository)).flatMap(([file, allowed]) => {
    const left = Math.min(allowed, counts[file]?.length ?? 0);
    return left === 0 ? [] : [[file, left] as const];
  });
  return Object.fromEntries(entries);
}

function readAllowance(repository: Repository): Readonly<Record<string, number>> {
  return repository.has(allowanceFile) ? parseAllowance(repository.read(allowanceFile)) : {};
}

function compile({ pattern, exact = false }: Idiom): RegExp {
  return new RegExp(pattern, exact ? "u" : "iu");
}

/** Blanks out code, addresses and filled-in values. The length stays the same, so that offsets fit. */
function maskCode(text: string): string {
  return text.replaceAll(/`[^`]*`|\$\{[^}]*\}|https?:\S+|\]\([^)]*\)/g, (code) => "`".padEnd(code.length, "_"));
}
