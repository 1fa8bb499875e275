import type { ShellWord } from "../command/shell-word.ts";
import { isSafeSet } from "../safe/shell/is-safe-builtin.ts";

const settingOperands: ReadonlySet<string> = new Set(
  "declare export float getopts integer local mapfile read readarray readonly typeset unset".split(" "),
);
/** Options of builtins that set the variable which they name. */
const settingOptions: ReadonlyMap<string, RegExp> = new Map([
  ["mapfile", /^$/],
  ["printf", /^-v(.*)/s],
  ["read", /^-\w*?a(.*)/s],
  ["readarray", /^$/],
  ["wait", /^-\w*?p(.*)/s],
]);
/** They compute what they set, or change what the names of commands stand for. */
const changesAnything: ReadonlySet<string> = new Set(["alias", "enable", "hash", "let"]);

/** The variables that a builtin of the shell sets or takes away without `NAME=`; null where only the run tells. */
export function findSetVariables(words: readonly ShellWord[]): readonly string[] | null {
  const [program, ...given] = words;
  const name = program?.text ?? "";
  if (changesAnything.has(name) || (name === "set" && !isSafeSet(words))) return null;
  const flag = settingOptions.get(name);
  const takesOperands = settingOperands.has(name);
  if (flag === undefined && !takesOperands) return [];
  // The format of `printf` and what follows it sets nothing.
  const searched = name === "printf" ? given.slice(0, given[0]?.text === "-v" ? 2 : 1) : given;
  if (searched.some((word) => !isKnownName(word, takesOperands))) return null;
  if (/^(?:declare|local|typeset)$/.test(name) && given.some((word) => /^-\w*n/.test(word.text))) return null;
  const named = searched.flatMap((word, index) => {
    const joined = flag?.exec(word.text)?.[1];
    if (joined !== undefined) return joined === "" ? (given[index + 1]?.text ?? []) : joined;
    return takesOperands ? word.head : [];
  });
  return named.flatMap((text) => /^[A-Za-z_]\w*/.exec(text)?.[0] ?? []);
}

/** Whether a word is known as far as a builtin may take it for an option, or for the name of a variable. */
function isKnownName(word: ShellWord, isName: boolean): boolean {
  if (word.kind === "static" || /^"?\$!"?$/.test(word.text)) return true;
  return word.kind === "operand" && (!isName || /^\w+\+?=/.test(word.head));
}
