import { isUnjoinedText, splitGraphemes } from "./grapheme.ts";
import { measureGrapheme } from "./text-width.ts";

/**
 * The text with its uncertain characters put in their place: families and flags, skin tones, variation selectors, marks, new emoji. One
 * terminal joins the parts of a family in 2 cells, the next gives each part its own. So the cells of ours are erased, the character is
 * written, and the cursor goes to where we count it, from where it was before (DECSC, DECRC); a rest behind it is erased. For rows that are
 * painted again, not for those that somebody copies: a terminal that does not join keeps only the first part.
 */
export function placeClusters(text: string): string {
  if (isUnjoinedText(text)) return text;
  return splitGraphemes(text)
    .map((grapheme) => (isUncertain(grapheme) ? place(grapheme) : grapheme))
    .join("");
}

function isUncertain(grapheme: string): boolean {
  return (grapheme.codePointAt(0) ?? 0) > 0xff_ff || grapheme.length > 1;
}

function place(grapheme: string): string {
  const width = measureGrapheme(grapheme);
  if (width === 0) return grapheme;
  const most = 2 * grapheme.length; // UTF-16 units: no terminal gives one more than two cells
  const rest = most - width;
  const before = `\u001b[${width}X\u001b7`;
  return `${before}${grapheme}\u001b8\u001b[${width}C${rest > 0 ? `\u001b[${rest}X` : ""}`;
}
