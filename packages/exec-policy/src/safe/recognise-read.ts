import type { GitSettings } from "../command/judge-context.ts";
import { baseName, isSystemProgram } from "../command/program-path.ts";
import type { ShellWord } from "../command/shell-word.ts";
import { recogniseGitRead } from "./git/recognise-git-read.ts";
import { isSafeDate } from "./is-safe-date.ts";
import { isSafeFind } from "./is-safe-find.ts";
import { isSafeTee } from "./is-safe-tee.ts";
import { isVersionQuestion } from "./is-version-question.ts";
import { fitsOptions } from "./option-syntax.ts";
import { type ReadGrant, unconditional } from "./read-grant.ts";
import { programEnvironments, readOnlyPrograms, readOnlySyntaxes } from "./read-only-programs.ts";
import {
  isSafeDeclaration,
  isSafeJump,
  isSafeLookup,
  isSafePrintf,
  isSafeRead,
  isSafeSet,
  isSafeWait,
} from "./shell/is-safe-builtin.ts";
import { isSafeTest } from "./shell/is-safe-test.ts";
import { isSafeAwk } from "./text/is-safe-awk.ts";
import { recogniseSedRead } from "./text/recognise-sed-read.ts";

/** Programs whose arguments need a look of their own. */
const checks: ReadonlyMap<string, (words: readonly ShellWord[]) => boolean> = new Map([
  ["[", isSafeTest],
  ["awk", isSafeAwk],
  ["break", isSafeJump],
  ["command", isSafeLookup],
  ["continue", isSafeJump],
  ["date", isSafeDate],
  ["exit", isSafeJump],
  ["export", isSafeDeclaration],
  ["find", isSafeFind],
  ["gawk", isSafeAwk],
  ["local", isSafeDeclaration],
  ["mawk", isSafeAwk],
  ["nawk", isSafeAwk],
  ["printf", isSafePrintf],
  ["read", isSafeRead],
  ["readonly", isSafeDeclaration],
  ["return", isSafeJump],
  ["set", isSafeSet],
  ["shift", isSafeJump],
  ["tee", isSafeTee],
  ["test", isSafeTest],
  ["wait", isSafeWait],
]);

/**
 * Under what a command does nothing but read files and print; null where it is not known to. The list is strict: a program
 * or an option that is not on it is not known. A program counts by its bare name or in a system folder, never by another
 * path. `settings` are those of the repository in the working folder.
 */
export function recogniseRead(words: readonly ShellWord[], settings: GitSettings | null): ReadGrant | null {
  const [program] = words;
  if (program?.kind !== "static") return null;
  if (program.text.includes("/") && !isSystemProgram(program.text)) return null;
  const name = baseName(program.text);
  if (name === "git") return recogniseGitRead(words, settings);
  if (name === "sed") return recogniseSedRead(words);
  if (!reads(name, words)) return null;
  const environment = programEnvironments.get(name);
  return environment === undefined ? unconditional : { ...unconditional, environment };
}

function reads(name: string, words: readonly ShellWord[]): boolean {
  if (readOnlyPrograms.has(name) || isVersionQuestion(name, words)) return true;
  const check = checks.get(name);
  if (check !== undefined) return check(words);
  const syntax = readOnlySyntaxes.get(name);
  return syntax !== undefined && fitsOptions(words.slice(1), syntax);
}
