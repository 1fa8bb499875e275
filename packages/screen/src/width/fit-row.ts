import { type Row, toRowText } from "../line/row.ts";
import { isSimpleText, splitGraphemes } from "./grapheme.ts";
import { measureGrapheme, measureText } from "./text-width.ts";
import { sliceRow } from "./wrap-line.ts";

/** The cells of a row. */
export function measureRow(row: Row): number {
  return measureText(toRowText(row));
}

/** The row in at most `width` cells: one that is wider ends with `…`. */
export function truncateRow(row: Row, width: number): Row {
  const text = toRowText(row);
  if ((text.length <= width && isSimpleText(text)) || measureText(text) <= width) return row;
  if (width < 1) return [];
  const kept = sliceRow(row, { start: 0, end: findCell(text, width - 1) });
  const last = kept.at(-1);
  return [...kept, last?.roles === undefined ? { text: "…" } : { text: "…", roles: last.roles }];
}

/** The text in at most `width` cells, with `…` at its end or in its middle where something was left out. */
export function truncateText(text: string, width: number, where: "end" | "middle" = "end"): string {
  if (measureText(text) <= width) return text;
  if (width < 1) return "";
  const tail = where === "end" ? "" : takeLastCells(text, Math.floor((width - 1) / 2));
  return `${text.slice(0, findCell(text, width - 1 - measureText(tail)))}…${tail}`;
}

/** A row of `columns` cells with one part at its left and one at its right; the left is cut where both do not fit. */
export function alignRow(left: Row, right: Row, columns: number): Row {
  const shownRight = truncateRow(right, columns);
  const rightWidth = measureRow(shownRight);
  const shownLeft = truncateRow(left, Math.max(0, columns - rightWidth - (rightWidth > 0 ? 1 : 0)));
  const gap = columns - rightWidth - measureRow(shownLeft);
  return rightWidth === 0 ? shownLeft : [...shownLeft, { text: " ".repeat(Math.max(0, gap)) }, ...shownRight];
}

/** The offset of the last character boundary that is at most `cells` from the start. */
function findCell(text: string, cells: number): number {
  if (isSimpleText(text)) return Math.min(cells, text.length);
  let [offset, width] = [0, 0];
  for (const grapheme of splitGraphemes(text)) {
    width += measureGrapheme(grapheme);
    if (width > cells) break;
    offset += grapheme.length;
  }
  return offset;
}

function takeLastCells(text: string, cells: number): string {
  let [taken, width] = ["", 0];
  for (const grapheme of splitGraphemes(text).reverse()) {
    width += measureGrapheme(grapheme);
    if (width > cells) break;
    taken = grapheme + taken;
  }
  return taken;
}
