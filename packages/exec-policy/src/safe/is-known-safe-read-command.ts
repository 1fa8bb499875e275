import { baseName, isSystemProgram } from "../shell/program-path.ts";
import { type ShellWord, toStaticWords } from "../shell/shell-word.ts";
import {
  isSafeDeclaration,
  isSafeJump,
  isSafeLookup,
  isSafePrintf,
  isSafeRead,
  isSafeSet,
  isSafeWait,
} from "./is-safe-builtin.ts";
import { isSafeDate } from "./is-safe-date.ts";
import { isSafeFind } from "./is-safe-find.ts";
import { isSafeGit } from "./is-safe-git.ts";
import { isSafeSed } from "./is-safe-sed.ts";
import { isSafeTest } from "./is-safe-test.ts";
import { fitsOptions } from "./option-syntax.ts";
import { readOnlyPrograms, readOnlySyntaxes } from "./read-only-programs.ts";

/** Programs whose arguments need a look of their own. */
const checks: ReadonlyMap<string, (words: readonly ShellWord[]) => boolean> = new Map([
  ["[", isSafeTest],
  ["break", isSafeJump],
  ["command", isSafeLookup],
  ["continue", isSafeJump],
  ["date", isSafeDate],
  ["exit", isSafeJump],
  ["export", isSafeDeclaration],
  ["find", isSafeFind],
  ["git", isSafeGit],
  ["local", isSafeDeclaration],
  ["printf", isSafePrintf],
  ["read", isSafeRead],
  ["readonly", isSafeDeclaration],
  ["return", isSafeJump],
  ["sed", isSafeSed],
  ["set", isSafeSet],
  ["shift", isSafeJump],
  ["test", isSafeTest],
  ["wait", isSafeWait],
]);

/**
 * Whether a command is known to do nothing but read files and print: the list is strict, a program or an option that is
 * not on it is not known. A program counts by its bare name or in a system folder, never by another path.
 */
export function isKnownSafeReadCommand(argv: readonly string[]): boolean {
  return !argv.some((argument) => argument.includes("\0")) && isKnownSafeRead(toStaticWords(argv));
}

/** The same for words that may only be known when the command runs. */
export function isKnownSafeRead(words: readonly ShellWord[]): boolean {
  const [program] = words;
  if (program?.kind !== "static") return false;
  if (program.text.includes("/") && !isSystemProgram(program.text)) return false;
  const name = baseName(program.text);
  if (readOnlyPrograms.has(name)) return true;
  const check = checks.get(name);
  if (check !== undefined) return check(words);
  const syntax = readOnlySyntaxes.get(name);
  return syntax !== undefined && fitsOptions(words.slice(1), syntax);
}
