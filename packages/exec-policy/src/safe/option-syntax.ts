import type { ShellWord } from "../command/shell-word.ts";

/**
 * The arguments with which a program only reads. All others are refused, including abbreviations of
 * options.
 */
export interface OptionSyntax {
  /** Short options without a value, one letter each; they may be joined (`-la`). */
  readonly flags?: string;
  /** Short options with a value: the rest of the word, or the next word. */
  readonly values?: string;
  /** Long options; a value may follow after `=` or as the next word. */
  readonly long?: readonly string[];
  /** How many operands there may be; any number where it is absent. */
  readonly maximumOperands?: number;
  /** Whether `-5` is an option. */
  readonly numbers?: true;
}

/**
 * Whether arguments stay within a syntax. A word that is only known when the command runs may be an operand where it
 * cannot be an option; where operands are counted every word must be known.
 */
export function fitsOptions(words: readonly ShellWord[], syntax: OptionSyntax): boolean {
  let operands = 0;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined || word.kind === "dynamic") return false;
    if (word.text === "--") {
      // As the value of the option before, it ends nothing, and options may follow.
      if (mayTakeNext(words[index - 1], syntax)) continue;
      operands += words.length - index - 1;
      break;
    }
    const isOperand = !word.text.startsWith("-") || word.text === "-";
    // Where operands are counted nothing behind the first one is an option: not every system reads it as one.
    if (isOperand || (operands > 0 && syntax.maximumOperands !== undefined)) {
      if (syntax.maximumOperands !== undefined && word.kind !== "static") return false;
      operands += 1;
    } else {
      const width = optionWidth(word.text, syntax);
      if (width === null) return false;
      // Only where operands are counted: elsewhere a value that looks like an option is judged like one.
      if (syntax.maximumOperands !== undefined) index += width - 1;
    }
  }
  return operands <= (syntax.maximumOperands ?? Number.POSITIVE_INFINITY);
}

/** Long options that never take the next word: they have no value, or only one after `=`. */
const withoutNextWord: ReadonlySet<string> = new Set(
  longNames(
    "all branches cached color compact-summary count decorate dirstat files-with-matches first-parent fixed-strings " +
      "follow full-index graph ignore-case invert-match line-number merges name-only name-status no-color no-ext-diff " +
      "no-index no-merges no-patch no-renames no-textconv numstat oneline patch quiet raw reverse shortstat staged " +
      "stat summary tags untracked word-diff word-regexp",
  ),
);

/** Whether the word behind an option may be its value, whatever that looks like. */
export function mayTakeNext(option: ShellWord | undefined, syntax: OptionSyntax): boolean {
  if (option === undefined || !/^-./.test(option.text)) return false;
  if (option.text.startsWith("--")) return !option.text.includes("=") && !withoutNextWord.has(option.text);
  return optionWidth(option.text, syntax) !== 1;
}

function optionWidth(text: string, syntax: OptionSyntax): 1 | 2 | null {
  if (text.startsWith("--")) return syntax.long?.includes(text.split("=", 1)[0] ?? text) === true ? 1 : null;
  if (syntax.numbers === true && /^-\d+$/.test(text)) return 1;
  for (const [position, letter] of Array.from(text.slice(1)).entries()) {
    if (syntax.values?.includes(letter) === true) return position === text.length - 2 ? 2 : 1;
    if (syntax.flags?.includes(letter) !== true) return null;
  }
  return 1;
}

/** Long options from their names without dashes, parted by blanks. */
export function longNames(names: string): readonly string[] {
  return names.split(" ").map((name) => `--${name}`);
}
