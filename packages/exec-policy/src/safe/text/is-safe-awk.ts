import type { ShellWord } from "../../command/shell-word.ts";
import { readAwkTokens } from "./read-awk-tokens.ts";

/** Functions that only compute. Not `system`, `close`, `fflush`, nor one that a program defines or an extension brings. */
const computes: ReadonlySet<string> = new Set(
  (
    "and atan2 compl cos exp gensub gsub index int length log lshift match mktime or rand rshift sin split sprintf sqrt " +
    "srand strftime strtonum sub substr systime tolower toupper xor"
  ).split(" "),
);

const forbiddenNames: ReadonlySet<string> = new Set(
  "case close default fflush func function include load namespace PROCINFO switch".split(" "),
);

/** `awk '{print $1}' file`: options `-F` and `-v`, a program that only prints, files. */
export function isSafeAwk(words: readonly ShellWord[]): boolean {
  const start = findProgram(words);
  const program = start === null ? undefined : words[start];
  if (start === null || program?.kind !== "static" || !onlyPrints(program.text)) return false;
  // Every awk except busybox stops reading options there. Because of busybox, no later word may look like an option.
  return words.slice(start + 1).every((word) => word.kind !== "dynamic" && !/^-./.test(word.text));
}

/** Where the program stands; null where another option may name it. */
function findProgram(words: readonly ShellWord[]): number | null {
  let index = 1;
  for (let word = words[index]; word !== undefined && word.head.startsWith("-"); word = words[index]) {
    if (word.text === "--") return index + 1;
    const isAssignment = /^-v(?:[A-Za-z_]\w*=|$)/s.test(word.head);
    if (!isAssignment && !word.head.startsWith("-F")) return null;
    if (word.text.length > 2) index += word.kind === "dynamic" ? Number.POSITIVE_INFINITY : 1;
    else if (isOptionValue(words[index + 1], word.text)) index += 2;
    else return null;
  }
  return index;
}

/** One word that is a separator, or `name=value` whose value awk never runs. */
function isOptionValue(word: ShellWord | undefined, option: string): boolean {
  if (word === undefined || word.kind === "dynamic" || word.text.startsWith("-")) return false;
  return option === "-F" || /^[A-Za-z_]\w*=/.test(word.head);
}

/** Whether a program opens nothing and runs nothing: no pipe, no redirection, no call but of what computes. */
function onlyPrints(program: string): boolean {
  // Refuse these even inside a string: a mistake about where a string ends must not let one through.
  if (/system|getline/.test(program)) return false;
  const tokens = readAwkTokens(program);
  if (tokens === null) return false;
  let prints = false;
  for (const [index, { type, text }] of tokens.entries()) {
    if (type === "name") {
      if (forbiddenNames.has(text)) return false;
      if (tokens[index + 1]?.text === "(" && !computes.has(text) && !keywords.has(text)) return false;
      prints ||= text === "print" || text === "printf";
    }
    if (type !== "mark") continue;
    if (text === "|" || text === "@" || text === "#" || text === "\\") return false;
    // Behind `print` it writes a file; elsewhere it compares. A line's end may not end the statement.
    if (text === ">" && prints) return false;
    if (text === ";" || text === "}") prints = false;
  }
  return true;
}

const keywords: ReadonlySet<string> = new Set("if while for in print printf exit return delete".split(" "));
