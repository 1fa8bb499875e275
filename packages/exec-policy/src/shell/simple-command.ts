import type { ShellWord } from "./shell-word.ts";

/** A file that a command's input or output is bound to; copies of descriptors like `2>&1` are not listed. */
export interface FileRedirect {
  readonly type: "read" | "write";
  readonly target: ShellWord;
}

/** A program with its arguments as a script runs it, or what a script does without running one. */
export interface SimpleCommand {
  /** Program first. Empty where the script only sets variables or opens files. */
  readonly words: readonly ShellWord[];
  /** Names of the variables that it sets. */
  readonly assignments: readonly string[];
  readonly redirects: readonly FileRedirect[];
  /** Its standard input where the script spells it out (here-document, here-string), else null. */
  readonly input: ShellWord | null;
  /** Commands whose output may reach it: earlier in its pipeline, or substituted into its words. */
  readonly feeds: readonly SimpleCommand[];
}

/** Why the commands of a script are not the whole truth. */
export interface ScriptFlaw {
  /** `unreadable`: commands may be missing from the list. `unsure`: none is, but an expansion may run others. */
  readonly type: "unreadable" | "unsure";
  /** What it is, as a noun phrase for a message. */
  readonly reason: string;
}

/** Every simple command of a script, however deep, in the order in which it is written. */
export interface ScriptReading {
  readonly commands: readonly SimpleCommand[];
  /** Null where the list is complete. */
  readonly flaw: ScriptFlaw | null;
  /** Functions that start themselves again in the background or in a pipe. */
  readonly forkBombs: readonly string[];
}

/** A command as an argument list gives it. */
export function toSimpleCommand(words: readonly ShellWord[]): SimpleCommand {
  return { words, assignments: [], redirects: [], input: null, feeds: [] };
}
