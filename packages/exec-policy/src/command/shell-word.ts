import { quoteWord } from "@unroll/text";

/** One word of a command, as far as it is known before the command runs. */
export interface ShellWord {
  /**
   * `static`: exactly `text`. `operand`: one or more words that all start with `head` and so are not options: a glob like
   * `src/*.ts`, a quoted expansion after some text. `dynamic`: any number of any words.
   */
  readonly kind: "static" | "operand" | "dynamic";
  /** The word itself where it is static, else its source. */
  readonly text: string;
  /** How the word is known to start; all of it where it is static. */
  readonly head: string;
  /** The word if every expansion in it were empty, globs as they are written; a leading home folder as `~`. */
  readonly withoutExpansions: string;
}

/** A word that is known as it is, like those of an argument list. */
export function toStaticWord(text: string): ShellWord {
  return { kind: "static", text, head: text, withoutExpansions: text };
}

export function toStaticWords(argv: readonly string[]): readonly ShellWord[] {
  return argv.map(toStaticWord);
}

export function textsOf(words: readonly ShellWord[]): readonly string[] {
  return words.map((word) => word.text);
}

/** A command as one would type it: known words quoted where they must be, the others as they are written. */
export function renderWords(words: readonly ShellWord[]): string {
  return words.map((word) => (word.kind === "static" ? quoteWord(word.text) : word.text)).join(" ");
}
