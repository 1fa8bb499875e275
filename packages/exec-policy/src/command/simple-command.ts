import type { ShellWord } from "./shell-word.ts";

/** A file that a command's input or output is bound to; copies of descriptors like `2>&1` are not listed. */
interface FileRedirect {
  readonly type: "read" | "write";
  readonly target: ShellWord;
}

/** A variable and its new value. */
export interface VariableValue {
  readonly name: string;
  readonly value: ShellWord;
}

/** A program with its arguments as a script runs it, or what a script does without running one. */
export interface SimpleCommand {
  /** Program first. Empty where the script only sets variables or opens files. */
  readonly words: readonly ShellWord[];
  /** Names of the variables that it sets. */
  readonly assignments: readonly string[];
  /** Their values, where the script says them: several for a list. */
  readonly values: readonly VariableValue[];
  readonly redirects: readonly FileRedirect[];
  /** Its standard input where the script spells it out (here-document, here-string), else null. */
  readonly input: ShellWord | null;
  /** Commands whose output may reach it: earlier in its pipeline, or substituted into its words. */
  readonly feeds: readonly SimpleCommand[];
}

/** A command as an argument list gives it. */
export function toSimpleCommand(words: readonly ShellWord[]): SimpleCommand {
  return { words, assignments: [], values: [], redirects: [], input: null, feeds: [] };
}
