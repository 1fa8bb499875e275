/**
 * Text of a model, a server or a command as it may go to a terminal: without escape sequences, and without any control
 * character but line feed and tab. Nothing in it can move the cursor, change the terminal or ring.
 */
export function toPlainText(text: string): string {
  return removeEscapeSequences(text).replaceAll(/[^\P{Cc}\n\t]/gu, "");
}

/**
 * The text without the escape sequences of ECMA-48, in their 7-bit and 8-bit forms: control sequences (CSI) and strings
 * (OSC, DCS, APC, PM, SOS; ended by ST or BEL) go whole. A string never extends past the end of a line, so text on
 * other lines is always shown.
 */
export function removeEscapeSequences(text: string): string {
  return text.replaceAll(escapeSequence, "");
}

const escapeSequence = new RegExp(
  [
    // CSI: colours, cursor moves.
    String.raw`\u001b\[[0-?]*[ -/]*[@-~]`,
    // OSC, DCS, SOS, PM, APC: titles, links, device control. One that nobody ended stops at the line's end.
    String.raw`\u001b[\]PX^_][^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?`,
    // The 8-bit forms only where they are whole: such a character also comes of a text that was decoded wrongly.
    String.raw`\u009b[0-?]+[ -/]*[@-~]`,
    String.raw`[\u0090\u0098\u009d-\u009f][^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)`,
    // All others, also what is left of one that was cut off.
    String.raw`\u001b[ -/]*[0-~]?`,
  ].join("|"),
  "g",
);
