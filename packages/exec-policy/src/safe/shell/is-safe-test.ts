import type { ShellWord } from "../../command/shell-word.ts";

const operator = /^(?:-[a-zA-Z]{1,2}|=|==|!=|!|\(|\)|\]|<|>)$/;
/** A quoted word, or one of the numbers that the shell keeps. */
const oneWord = /^"[^"@]*"$|^\$[#?$]$/;

/**
 * `test` and `[`. Their `-v` and `-R` evaluate an array index, which runs commands. So we accept no such operator and no index.
 * If a word is known only when the command runs, the script must contain every operator around it literally.
 */
export function isSafeTest(words: readonly ShellWord[]): boolean {
  const operands = words.slice(1);
  if (operands.some((word) => word.text === "-v" || word.text === "-R")) return false;
  return operands.every((word, index) => {
    if (word.kind === "static") return !word.text.includes("[");
    const previous = operands[index - 1];
    return oneWord.test(word.text) && (index === 0 ? isKnownOperator(operands[1]) : isKnownOperator(previous));
  });
}

function isKnownOperator(word: ShellWord | undefined): boolean {
  return word?.kind === "static" && operator.test(word.text);
}
