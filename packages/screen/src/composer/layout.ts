import { isSimpleText, splitGraphemes } from "../width/grapheme.ts";
import { breakText, type TextRange } from "../width/break-text.ts";
import { measureGrapheme, measureText } from "../width/text-width.ts";
import type { Composer, ComposerContext } from "./composer.ts";
import { type ShownText, showText, toDraftOffset, toShownOffset } from "./shown-text.ts";

/** The sign before the first row, and the room before all others. */
export const signWidth = 2;

/** A draft in rows, and where the caret stands. */
export interface Layout {
  readonly shown: ShownText;
  /** Offsets of the shown text. A line that is longer than a row continues in the next row. */
  readonly rows: readonly TextRange[];
  readonly caret: { readonly row: number; readonly column: number };
}

export function layOut(
  composer: Pick<Composer, "text" | "caret" | "pieces">,
  context: Pick<ComposerContext, "columns">,
): Layout {
  const shown = showText(composer.text, composer.pieces);
  const width = Math.max(1, context.columns - 1 - signWidth);
  const rows: TextRange[] = [];
  let start = 0;
  for (const line of shown.text.split("\n")) {
    for (const range of breakText(line, { firstWidth: width, nextWidth: width, at: "typed" })) {
      rows.push({ start: start + range.start, end: start + range.end });
    }
    start += line.length + 1;
  }
  const offset = toShownOffset(shown, composer.caret);
  const row = Math.max(
    0,
    rows.findLastIndex((each) => each.start <= offset),
  );
  return { shown, rows, caret: { row, column: measureText(shown.text.slice(rows[row]?.start ?? 0, offset)) } };
}

/** The offset in the draft of a cell; in a row that is shorter, of its end. */
export function findOffset(layout: Layout, row: number, column: number): number {
  const range = layout.rows[row] ?? { start: 0, end: 0 };
  const text = layout.shown.text.slice(range.start, range.end);
  const graphemes = isSimpleText(text) ? null : splitGraphemes(text);
  let offset = 0;
  if (graphemes === null) offset = Math.min(column, text.length);
  else {
    let width = 0;
    for (const grapheme of graphemes) {
      width += measureGrapheme(grapheme);
      if (width > column) break;
      offset += grapheme.length;
    }
  }
  // If a line continues in the next row, the end of this row is the start of that one.
  const goesOn = layout.rows[row + 1]?.start === range.end;
  const last = goesOn ? text.length - (splitGraphemes(text.slice(-64)).at(-1)?.length ?? 0) : text.length;
  return toDraftOffset(layout.shown, range.start + Math.min(offset, last));
}
