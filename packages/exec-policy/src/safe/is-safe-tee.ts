import type { ShellWord } from "../command/shell-word.ts";

/** `tee /dev/null`: a copy that goes nowhere, or where the output goes anyway. */
export function isSafeTee(words: readonly ShellWord[]): boolean {
  return words
    .slice(1)
    .every((word) => word.kind === "static" && /^(?:-[ai]+|\/dev\/(?:null|stdout|stderr))$/.test(word.text));
}
