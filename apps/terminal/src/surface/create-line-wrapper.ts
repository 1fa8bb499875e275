import { type Row, type StyledLine, wrapLine } from "@unroll/screen";

/** Breaks lines into rows of so many cells. */
export type LineWrapper = (lines: readonly StyledLine[], width: number) => readonly Row[];

/** Gives the rows of the last time where it is asked for the same list. */
export function createLineWrapper(): LineWrapper {
  let last: { readonly lines: readonly StyledLine[]; readonly width: number; readonly rows: readonly Row[] } | null =
    null;
  return (lines, width) => {
    if (last?.lines !== lines || last.width !== width) {
      last = { lines, width, rows: lines.flatMap((line) => wrapLine(line, width)) };
    }
    return last.rows;
  };
}
