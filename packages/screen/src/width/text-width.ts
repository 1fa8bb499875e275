import fastStringWidth from "fast-string-width";
import { isSimpleText, isUnjoinedText, isWideLetter, splitGraphemes } from "./grapheme.ts";

/**
 * The cells that a terminal gives the text, which holds no control character. No table is right in every terminal (old ones do not
 * join emoji), so nothing may rest on the last column.
 */
export function measureText(text: string): number {
  if (isSimpleText(text)) return text.length;
  let width = 0;
  if (isUnjoinedText(text)) {
    for (let at = 0; at < text.length; at += 1) width += isWideLetter(text.charCodeAt(at)) ? 2 : 1;
    return width;
  }
  for (const grapheme of splitGraphemes(text)) width += measureGrapheme(grapheme);
  return width;
}

/** The cells of one character, as `splitGraphemes` gives it: 0, 1 or 2. */
export function measureGrapheme(grapheme: string): number {
  if (grapheme.length === 1 && isUnjoinedText(grapheme)) return isWideLetter(grapheme.charCodeAt(0)) ? 2 : 1;
  if (invisible.test(grapheme)) return 0;
  // A cluster of many code points (a syllable of Hangul in pieces, a family) still takes two cells at most.
  return Math.min(2, fastStringWidth(grapheme.replace(joinersAtEnd, "")));
}

const joinersAtEnd = /[\u200c\u200d]+$/;
const invisible = /^[\p{Cf}\p{Mn}\p{Me}]+$/u;
