import { toShownText } from "@unroll/text";
import type { Role, Span, StyledLine } from "../line/styled-line.ts";
import { splitGraphemes, isSimpleText } from "./grapheme.ts";
import { measureGrapheme } from "./text-width.ts";

/** How lines are made of a text: how they break, and the roles of all of it. */
export interface LineStyle {
  readonly wrap: StyledLine["wrap"];
  readonly roles?: readonly Role[];
}

/** A text of anyone as lines: escape sequences and control characters are gone, what hides is written out, tabs are spaces. */
export function toStyledLines(text: string, style: LineStyle): StyledLine[] {
  return toShownText(text.replaceAll(/\r\n?/g, "\n"))
    .split("\n")
    .map((line) => ({ spans: toSpans(expandTabs(line), style.roles), wrap: style.wrap }));
}

/** The text with each tab as the spaces up to the next column that is a multiple of `size`. */
export function expandTabs(text: string, size = 4): string {
  if (!text.includes("\t")) return text;
  let [expanded, column] = ["", 0];
  for (const piece of text.split(/(\t)/)) {
    const shown = piece === "\t" ? " ".repeat(size - (column % size)) : piece;
    expanded += shown;
    column += isSimpleText(shown)
      ? shown.length
      : splitGraphemes(shown).reduce((sum, each) => sum + measureGrapheme(each), 0);
  }
  return expanded;
}

function toSpans(text: string, roles: readonly Role[] | undefined): Span[] {
  if (text === "") return [];
  return [roles === undefined ? { text } : { text, roles }];
}
