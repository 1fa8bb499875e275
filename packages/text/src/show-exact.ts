import { showHidden, writeOut } from "./show-hidden.ts";

/**
 * As `showHidden`, for what somebody approves: also what looks like nothing or like another character is written out as
 * `\u{a0}`. That is every space but the plain one, the empty Braille pattern, variation selectors, signs that look like those
 * of ASCII, and letters of other alphabets in words with Latin letters or made of Latin shapes alone. Other words of any
 * language stay as they are, and so do the dashes and quotes of prose in a `document`.
 */
export function showExact(text: string, kind: "command" | "document" = "command"): string {
  const shown = showHidden(text);
  if (!/[^ -~\n\t]/.test(shown)) return shown;
  const signs = shown.replaceAll(blank, writeOut).replaceAll(similarSign, writeOut).replaceAll(word, showWord);
  return kind === "command" ? signs.replaceAll(proseSign, writeOut) : signs;
}

const blank = /[^\P{Zs} ]|\u2800|\p{Variation_Selector}/gu;
/** Quotes and dashes that a shell takes for letters. */
const proseSign = /[\u2012-\u2015\u2018-\u201f]/g;
/** Full width and small forms, mathematical letters, Roman numbers, and single signs that look like `! ' * + - . / : ; | ~` or a letter. */
const similarSign =
  /[\uff01-\uff5e\ufe52-\ufe6b\u{1d400}-\u{1d7ff}\u2160-\u217f\u01c0\u01c3\u0251\u0261\u02b9-\u02bc\u02c2-\u02c8\u02d0\u02d7\u037e\u0387\u2010\u2011\u2024\u2032\u2035\u2039\u203a\u2044\u2052\u212a\u2212\u2215-\u2217\u2223\u2236\u223c\u2571\u2572\u2758\u29f5\u29f8\u29f9\ua789\ua78c]/gu;

const word = /[\p{L}\p{M}\p{N}]+/gu;
const otherLetter =
  /[\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Lisu}]/u;
const latinShapes = /^[аеорсухіјѕһԁԛԝѵАВЕКМНОРСТУХІЈЅԌԚԜονρΑΒΕΖΗΙΚΜΝΟΡΤΥΧհոսօՍՕ\d]+$/u;

function showWord(found: string): string {
  if (!otherLetter.test(found) || !(/[A-Za-z]/.test(found) || latinShapes.test(found))) return found;
  return Array.from(found, (letter) => (otherLetter.test(letter) ? writeOut(letter) : letter)).join("");
}
