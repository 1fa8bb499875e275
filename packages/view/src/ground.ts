// Stands in for @unroll/text, name by name, until that package is on this branch: then this file goes.

/** Text of a model, a server or a command as it may go to a terminal: no escape sequence, no control character but \n and \t. */
export function toPlainText(text: string): string {
  return text.replaceAll(escapeSequence, "").replaceAll(/[^\P{Cc}\n\t]/gu, "");
}

const escapeSequence = new RegExp(
  [
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`,
    String.raw`\u001b[\]PX^_][^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?`,
    String.raw`[\u0090\u0098\u009d-\u009f][^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)`,
    String.raw`\u001b[ -/]*[0-~]?`,
  ].join("|"),
  "g",
);

/** The text with everything that has no look of its own written out as `\u{202e}`, but for line feed and tab. */
export function showHidden(text: string): string {
  return text.replaceAll(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

// oxlint-disable-next-line no-misleading-character-class -- each is a character of its own here
const hidden = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]/gu;
