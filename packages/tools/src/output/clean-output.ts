const escapeSequence = new RegExp(
  [
    // Control sequences: colours, cursor moves.
    String.raw`\u001b\[[0-?]*[ -/]*[@-~]`,
    // Strings: titles, links, device control. One that never ends stops at the line's end.
    String.raw`\u001b[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?`,
    // All others, also what is left of one that was cut off.
    String.raw`\u001b[ -/]*[0-~]?`,
  ].join("|"),
  "g",
);
const controlCharacter = /[^\P{Cc}\n\t]/gu;

/**
 * A command's output as a person would have seen it: without escape sequences; of a line that was rewritten in place
 * (a progress bar, a spinner) its last state; no control characters but line feed and tab; well-formed. Keeps the number
 * of lines.
 */
export function cleanOutput(text: string): string {
  const lines = text.replaceAll(escapeSequence, "").split("\n");
  return lines.map(toLastState).join("\n").replaceAll(controlCharacter, "").toWellFormed();
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
