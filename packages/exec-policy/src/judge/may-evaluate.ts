import type { ShellWord } from "../command/shell-word.ts";
import { isComputedVariable } from "../command/variable-power.ts";
import { isSafePrintf } from "../safe/shell/is-safe-builtin.ts";
import { isSafeTest } from "../safe/shell/is-safe-test.ts";

/** Builtins that take names of variables, whose array indexes they evaluate. */
const namingBuiltins: ReadonlySet<string> = new Set("export mapfile read readarray readonly unset wait".split(" "));
const declaringBuiltins: ReadonlySet<string> = new Set("declare local typeset".split(" "));
/** Builtins that evaluate the text of some option. */
const completingBuiltins: ReadonlySet<string> = new Set("bind compgen complete compopt jobs".split(" "));

/**
 * Whether a builtin of the shell may run commands that a word, or the value of a variable, holds: array indexes, arithmetic and
 * completions are evaluated (`test -v 'a[$(id)]'`, `let x`, `read "$name"`). The rest of a script is the parser's to read.
 */
export function mayEvaluate([program, ...given]: readonly ShellWord[]): boolean {
  if (program?.kind !== "static") return false;
  const name = program.text;
  const words = [program, ...given];
  if (name === "[" || name === "test") return !isSafeTest(words) && !isPlainTest(given);
  if (name === "printf") return !isSafePrintf(words) && !isPlainPrintf(given);
  if (name === "let")
    return given.some(({ kind, text }) => kind !== "static" || !/^\s*(?:\w+\s*=)?[\s\d()+*/%-]*$/.test(text));
  if (name === "fc") return true;
  if (completingBuiltins.has(name)) return given.some(({ kind, text }) => kind !== "static" || /[$`]/.test(text));
  if (name === "float" || name === "integer") return given.length > 0;
  // `getopts` does not evaluate the words that it takes apart, behind the first two.
  if (name === "getopts")
    return !given.slice(0, 2).every((word) => isPlainName(word) && !isComputedVariable(word.head));
  if (namingBuiltins.has(name)) return !given.every((word) => isPlainName(word) && !isComputedVariable(word.head));
  return declaringBuiltins.has(name) && !isPlainDeclaration(given);
}

/** Without `-i` (arithmetic), `-n` (another name) and a list in a text. */
function isPlainDeclaration(given: readonly ShellWord[]): boolean {
  const takesLists = given.some(({ text }) => /^[-+]\w*[aA]/.test(text));
  return given.every((word) => {
    if (/^[-+]/.test(word.text)) return word.kind === "static" && !/^[-+]\w*[in]/.test(word.text);
    if (takesLists && word.kind !== "static" && !/^\w+\+?=\(/.test(word.text)) return false;
    return isPlainName(word);
  });
}

/** A word that names no array element, whatever it turns out to be: an option, `name`, `name=value`. */
function isPlainName({ kind, text, head }: ShellWord): boolean {
  return kind === "static" ? !/^[^=]*\[|=\s*\(/.test(text) : /^\w+\+?=/.test(head) || /^"?\$!"?$/.test(text);
}

/** Without the operators that look at a name, and with no word that may become one. */
function isPlainTest(given: readonly ShellWord[]): boolean {
  return given.every(({ kind, text }) => kind === "static" && text !== "-v" && text !== "-R");
}

/** A format that cannot be `-v`, without anything that a `%n` in it could name. */
function isPlainPrintf([format, ...given]: readonly ShellWord[]): boolean {
  if (format === undefined || format.head.startsWith("-")) return isPlainVariable(format, given);
  return format.kind !== "dynamic" && given.every(({ kind, text }) => kind === "static" && !text.includes("["));
}

/** `printf -v name`. */
function isPlainVariable(option: ShellWord | undefined, [name, format, ...values]: readonly ShellWord[]): boolean {
  if (option?.text !== "-v" || name?.kind !== "static" || !/^\w+$/.test(name.text) || isComputedVariable(name.text))
    return false;
  return isSafePrintf([option, ...(format === undefined ? [] : [format]), ...values]);
}
