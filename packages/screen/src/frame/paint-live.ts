import { control, moveRows, moveToColumn } from "./control.ts";
import type { CellPosition } from "../line/row.ts";

/** The live region as the terminal shows it. */
export interface PaintedLive {
  readonly rows: readonly string[];
  /** Where the terminal's cursor stands, seen or hidden. */
  readonly at: CellPosition;
}

/** Nothing is painted, and the cursor is at the start of a free row. */
export const nothingPainted: PaintedLive = { rows: [], at: { row: 0, column: 0 } };

/** The bytes that turn one region into another. Each changed row is written over the old one. */
export function paintRows(before: PaintedLive, rows: readonly string[]): { bytes: string; row: number } {
  let [bytes, at] = ["", before.at.row];
  for (const [index, row] of rows.entries()) {
    if (row === before.rows[index]) continue;
    const isNew = index >= before.rows.length && index > 0;
    bytes +=
      (isNew ? moveRows(index - 1 - at) + control.newRow : `${moveRows(index - at)}\r`) + row + control.eraseLineEnd;
    at = index;
  }
  if (rows.length < before.rows.length) {
    bytes += `${moveRows(rows.length - at)}\r${control.eraseRegion}`;
    at = rows.length;
  }
  return { bytes, row: at };
}

/** From anywhere in row `from` to the cell. */
export function moveTo(from: number, to: CellPosition): string {
  return moveRows(to.row - from) + moveToColumn(to.column);
}
