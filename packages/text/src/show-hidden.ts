import { toPlainText } from "./plain-text.ts";

/**
 * The text with everything that has no look of its own written out as `\u{202e}`: control characters but line feed and
 * tab, what changes the direction of writing, what takes no room, line and paragraph separators, halves of surrogate
 * pairs. For a dialog in which a person must see what is really there; it cannot be turned back.
 */
export function showHidden(text: string): string {
  return replaceHidden(text, writeOut);
}

/**
 * What a model, a server or a command says, for a person at a terminal: as `toPlainText`, and what hides or reverses is
 * written out as by `showHidden`. Joiners and marks of direction stay: words and emoji of many scripts are written with
 * them, and none reverses what stands beside it.
 */
export function toShownText(text: string): string {
  return replaceHidden(toPlainText(text), (character) =>
    partsOfWords.test(character) ? character : writeOut(character),
  );
}

/** JSON text of the same value, in which such characters stand as `\u202e`: it can be looked at, too. */
export function escapeHidden(json: string): string {
  return replaceHidden(json, (character) =>
    Array.from({ length: character.length }, (_, at) => toEscape(character.charCodeAt(at))).join(""),
  );
}

/** Most text is plain ASCII, and looking for that is ten times as fast. */
function replaceHidden(text: string, replace: (character: string) => string): string {
  return text.replaceAll(/[^ -~\n\t]+/g, (others) => others.replaceAll(hidden, replace));
}

// Last: fillers and joiners that are letters or marks by category, but show nothing.
const hidden = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|\u034f|[\u115f\u1160\u3164\uffa0]|\u17b4|\u17b5/gu;
const partsOfWords = /[\u200c-\u200f\u061c]/;

/** `\u{202e}` for a character. */
export function writeOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function toEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
