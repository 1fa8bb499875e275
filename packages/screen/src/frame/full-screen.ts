import type { Row } from "../line/row.ts";
import type { Painter } from "../theme/painter.ts";
import { truncateRow } from "../width/fit-row.ts";
import { control } from "./control.ts";
import type { ScreenSize } from "./create-screen.ts";
import type { CellPosition } from "../line/row.ts";

/** The alternate screen, for a pager that a person opened: rows from the top of the window, which is given back as it was. */
export interface FullScreen {
  /** Enters the alternate screen, empty. */
  readonly open: () => string;
  /** The bytes that show these rows, of which the window takes as many as it has; "" where it shows them. */
  readonly frame: (rows: readonly Row[], cursor: CellPosition | null) => string;
  /** The window changed: the next frame paints all rows. */
  readonly resize: (size: ScreenSize) => void;
  /** Leaves it. The inline screen is unchanged, unless the window's size changed: then the screen gets the new size and settles. */
  readonly close: () => string;
}

/** The whole window for a pager, on the terminal's other screen. Gives the bytes to write; sizes are in cells. */
export function createFullScreen(options: ScreenSize & { readonly painter: Painter }): FullScreen {
  let size: ScreenSize = { columns: options.columns, rows: options.rows };
  let shown: readonly string[] = [];
  let cursorShown = "";
  return {
    open() {
      shown = [];
      return "\u001b[?1049h\u001b[?25l\u001b[H";
    },
    frame(rows, cursor) {
      const wanted = rows.slice(0, size.rows).map((row) => options.painter.paintPlaced(truncateRow(row, size.columns)));
      const changed = Array.from({ length: size.rows }, (_, index) => wanted[index] ?? "")
        .map((row, index) => (row === shown[index] ? "" : `\u001b[${index + 1};1H${control.eraseLineEnd}${row}`))
        .join("");
      const at = cursor === null ? "" : `\u001b[${cursor.row + 1};${cursor.column + 1}H${control.showCursor}`;
      if (changed === "" && at === cursorShown) return "";
      shown = Array.from({ length: size.rows }, (_, index) => wanted[index] ?? "");
      cursorShown = at;
      return (
        control.beginUpdate + control.hideCursor + control.wrapOff + changed + control.wrapOn + at + control.endUpdate
      );
    },
    resize(next) {
      size = next;
      shown = [];
    },
    close: () => `${control.showCursor}\u001b[?1049l`,
  };
}
