import { invisible } from "./invisible.ts";
import { toPlainText } from "./plain-text.ts";

/**
 * Escapes every invisible character as `\u{202e}`: control characters except line feed and tab, characters that change
 * the direction of writing or have no width, line and paragraph separators, halves of surrogate pairs. For a dialog in
 * which a person must see what is really there; it cannot be turned back.
 */
export function showHidden(text: string): string {
  return replaceHidden(text, writeOut);
}

/**
 * Text of a model, a server or a command, for people at a terminal: like `toPlainText`, and it also escapes characters
 * that hide or reverse text, as `showHidden` does. Joiners and marks of direction stay: many scripts need them for
 * words and emoji, and none of them reverses the text beside it.
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

/** Variation selectors stay: they are parts of emoji. */
const hidden = new RegExp(String.raw`[${invisible}--[\p{Variation_Selector}\u2800]]|[\p{Cc}--[\n\t]]|\p{Cs}`, "gv");
const partsOfWords = /[\u200c-\u200f\u061c]/;

/** `\u{202e}` for a character. */
export function writeOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function toEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
