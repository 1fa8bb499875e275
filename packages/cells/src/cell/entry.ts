import type { Cell } from "@unroll/view";
import type { StyledLine } from "@unroll/screen";

/** A part of a transcript that does not change any more. */
export type Entry = CellEntry | LinesEntry;

/** A finished cell of the view. */
export interface CellEntry {
  readonly type: "cell";
  readonly cell: Cell;
}

/** Lines of the program, such as the result of a command that you typed. */
export interface LinesEntry {
  readonly type: "lines";
  readonly lines: readonly StyledLine[];
}
