import type { StyledLine } from "../line/styled-line.ts";
import { toRowText } from "../line/row.ts";
import type { DrawnPicture, PictureRoom } from "../picture/draw-picture.ts";
import type { Painter } from "../theme/painter.ts";
import { breakText } from "../width/break-text.ts";
import { wrapLine } from "../width/wrap-line.ts";
import { control, moveRows } from "./control.ts";

/** Finished lines as bytes, and the rows that they take. */
export interface EncodedLines {
  readonly bytes: string;
  readonly rows: number;
}

/**
 * A finished line for the scrollback, from the left edge of an erased row. Nothing is erased behind it: tmux would count the erased cells
 * and wrap them as blank rows in a narrower window. Prose is wrapped here. Verbatim text is written whole: the terminal wraps it, rewraps
 * it at another width and copies it as one line. A picture that cannot be shown takes no row.
 */
export function encodeLine(line: StyledLine, room: PictureRoom, painter: Painter): EncodedLines {
  const { columns } = room;
  if (line.picture !== undefined) return encodePicture(painter.draw(line.picture, room));
  if (line.wrap === "words") {
    const rows = wrapLine(line, Math.max(1, columns - 1));
    return { bytes: rows.map((row) => painter.paint(row) + control.newRow).join(""), rows: rows.length };
  }
  const { length: rows } = breakText(toRowText(line.spans), { firstWidth: columns, nextWidth: columns, at: "cells" });
  return { bytes: painter.paint(line.spans) + control.newRow, rows };
}

/** Its rows are made first: so all of it is on the screen when it is drawn, and it matters nothing where that leaves the cursor. */
function encodePicture(drawn: DrawnPicture | null): EncodedLines {
  if (drawn === null) return { bytes: "", rows: 0 };
  const { sequence, rows } = drawn;
  const made = control.newRow.repeat(rows) + moveRows(-rows);
  return { bytes: made + control.saveCursor + sequence + control.restoreCursor + moveRows(rows), rows };
}
