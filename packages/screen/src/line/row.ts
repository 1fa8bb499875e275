import type { Span } from "./styled-line.ts";

/** One row of the terminal, painted from its left edge: what a `StyledLine` becomes at a width. Holds no line break. */
export type Row = readonly Span[];

/** A cell of a block of rows, from 0. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** The text of a row, without its looks. */
export function toRowText(row: Row): string {
  return row.length === 1 ? (row[0]?.text ?? "") : row.map((span) => span.text).join("");
}
