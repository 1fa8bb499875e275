import { isPowerfulVariable } from "../../command/variable-power.ts";
import type { ShellWord } from "../../command/shell-word.ts";
import { fitsOptions } from "../option-syntax.ts";

/** `command -v git` tells where a program is; without the option `command` runs it. */
export function isSafeLookup(words: readonly ShellWord[]): boolean {
  return words[1]?.kind === "static" && /^-[vV]$/.test(words[1].text);
}

/** `printf` with `-v` or `%n` sets a variable; some shells evaluate `%d` of a text, which may run a command. */
export function isSafePrintf(words: readonly ShellWord[]): boolean {
  const [, format] = words;
  if (format?.kind !== "static" || format.text.startsWith("-")) return false;
  if (/%[^%a-zA-Z(]*[hlLjzt]*n/.test(format.text.replaceAll("%%", ""))) return false;
  return words.every((word) => word.kind !== "static" || !/\$\(|`/.test(word.text));
}

/** Options that make a script stricter or talk more: `set -euo pipefail`. */
export function isSafeSet(words: readonly ShellWord[]): boolean {
  const options = words.slice(1);
  const isKnown = options.every((word) => /^(?:[-+][eux]*o?|pipefail|errexit|nounset|xtrace)$/.test(word.text));
  return options.length > 0 && isKnown;
}

/** `exit`, `return`, `break`: some shells compute their number. */
export function isSafeJump(words: readonly ShellWord[]): boolean {
  return words.slice(1).every((word) => word.kind !== "static" || /^\d+$/.test(word.text));
}

/** `export`, `local`, `readonly` of plain names; which names is the judge's to check. */
export function isSafeDeclaration(words: readonly ShellWord[]): boolean {
  return words.slice(1).every((word) => (word.kind === "static" ? isPlainName(word) : /^\w+=$/.test(word.head)));
}

/** `read` into plain variables; an array index would be computed. */
export function isSafeRead(words: readonly ShellWord[]): boolean {
  const operands = words.slice(1).filter((word) => !word.text.startsWith("-"));
  if (!fitsOptions(words.slice(1), { flags: "rs", values: "dnNptu" })) return false;
  return operands.every((word) => word.kind === "static" && (word.text === "" || isPlainName(word)));
}

function isPlainName(word: ShellWord): boolean {
  return /^\w+$/.test(word.text) && !isPowerfulVariable(word.text);
}

/** `wait` for jobs by number; `-p` sets a variable. */
export function isSafeWait(words: readonly ShellWord[]): boolean {
  return words.slice(1).every((word) => /^(?:\d+|%\d+|"?\$!"?|-n)$/.test(word.text));
}
