import { isExcused } from "../is-excused.ts";
import type { Repository } from "../repository.ts";
import { type Idiom, parseIdioms } from "./parse-words.ts";
import { findSentences, listProse, type Sentence } from "./prose.ts";

const idiomFile = "tooling/structure/words/idioms.json";

/** One idiom in one sentence. */
interface IdiomHit extends Sentence {
  readonly phrase: string;
  readonly instead: string;
}

/** Prose for people has none of the phrases in `idioms.json`. */
export function checkIdioms(repository: Repository, files = listProse(repository)): readonly string[] {
  return findIdioms(repository, files).map(renderHit);
}

/** The phrases of `idioms.json` in prose for people, in the order of files and lines. */
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

function renderHit({ file, line, text, phrase, instead }: IdiomHit): string {
  const shown = phrase.length > 40 ? `${phrase.slice(0, 39)}…` : phrase;
  return `${file}:${line}: "${shown}" → ${instead}\n    ${text}`;
}

function compile({ pattern, exact = false }: Idiom): RegExp {
  return new RegExp(pattern, exact ? "u" : "iu");
}

/** Blanks out code, addresses and filled-in values. The length stays the same, so that offsets fit. */
function maskCode(text: string): string {
  return text.replaceAll(/`[^`]*`|\$\{[^}]*\}|https?:\S+|\]\([^)]*\)/g, (code) => "`".padEnd(code.length, "_"));
}
