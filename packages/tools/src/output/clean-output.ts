import { removeEscapeSequences, toPlainText } from "@unroll/text";

/**
 * A command's output as a person would have seen it: without escape sequences; of a line that was rewritten in place
 * (a progress bar, a spinner) its last state; no control characters but line feed and tab; well-formed. Keeps the number
 * of lines.
 */
export function cleanOutput(text: string): string {
  const lines = removeEscapeSequences(text).split("\n");
  return toPlainText(lines.map(toLastState).join("\n")).toWellFormed();
}

function toLastState(line: string): string {
  const shown = line.includes("\r") ? (line.split("\r").findLast((state) => state !== "") ?? "") : line;
  if (!shown.includes("\b")) return shown;
  const characters: string[] = [];
  for (const character of shown) {
    if (character === "\b") characters.pop();
    else characters.push(character);
  }
  return characters.join("");
}
