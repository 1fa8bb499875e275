import type { Cell } from "@unroll/view";
import type { StyledLine } from "@unroll/screen";

/** One thing of a transcript that does not change any more. */
export type Entry = CellEntry | PersonEntry | LinesEntry;

/** A finished cell of the view. */
export interface CellEntry {
  readonly type: "cell";
  readonly cell: Cell;
}

/** What the person sent. */
export interface PersonEntry {
  readonly type: "person";
  readonly text: string;
  /** How many pictures came with it. */
  readonly images: number;
}

/** What the program itself says, as the answer to a command of the person. */
export interface LinesEntry {
  readonly type: "lines";
  readonly lines: readonly StyledLine[];
}
