import { breakText } from "../width/break-text.ts";
import type { CellPosition } from "../line/row.ts";

/** A live region as it stood when the window changed. */
export interface StoodRegion {
  /** The text of its rows. */
  readonly rows: readonly string[];
  readonly cursor: CellPosition;
  readonly columns: number;
  readonly screenRows: number;
  /** The screen's row, from 1, of the cursor; null where nobody asked. */
  readonly screenRow: number | null;
}

/** The window as it is now, with what the terminal answered about its cursor (from 1), or null. */
export interface ChangedWindow {
  readonly columns: number;
  readonly screenRows: number;
  readonly answer: CellPosition | null;
}

/** The number of rows from the region's top to the cursor, and whether the terminal rewraps lines, as far as is known. */
export interface FoundTop {
  readonly rowsAbove: number;
  readonly reflows: boolean;
}

/**
 * Finds the region's top. Terminals either rewrap lines or cut them. If the cursor moved, the terminal rewraps. If it did not, either
 * is possible, since wrapping at the end of a screen may move rows up or down: then we trust `reflows`. If the cursor's own row is in
 * doubt, we use the smaller distance: a leftover row is better than a lost one.
 */
export function findTop(region: StoodRegion, window: ChangedWindow, reflows: boolean): FoundTop {
  const { cursor } = region;
  const cut = cursor.row;
  if (window.columns >= region.columns) return { rowsAbove: cut, reflows };
  const above = region.rows.slice(0, cursor.row).reduce((sum, row) => sum + countRows(row, window.columns), 0);
  // Some terminals leave the cursor's own line as it is. If they wrapped it, the cursor moved with it.
  const isOwnWrapped =
    cursor.column >= window.columns &&
    window.answer !== null &&
    window.answer.column === (cursor.column % window.columns) + 1;
  const wrapped = above + (isOwnWrapped ? Math.floor(cursor.column / window.columns) : 0);
  const hasMoved = wrapped !== cut && hasCursorMoved(region, window);
  return reflows || hasMoved ? { rowsAbove: wrapped, reflows: reflows || hasMoved } : { rowsAbove: cut, reflows };
}

/** Whether the cursor stands elsewhere than where a terminal that only cuts would have left it. */
function hasCursorMoved(region: StoodRegion, window: ChangedWindow): boolean {
  if (window.answer === null || region.screenRow === null || window.screenRows !== region.screenRows) return false;
  return window.answer.row !== region.screenRow;
}

function countRows(text: string, columns: number): number {
  return breakText(text, { firstWidth: columns, nextWidth: columns, at: "cells" }).length;
}

/**
 * Whether a terminal rewraps lines at another width, judged by its environment and its name (XTVERSION, or null). Most do;
 * xterm, the Linux console, GNU screen and the old Windows console cut them.
 */
export function believeReflow(
  environment: Readonly<Record<string, string | undefined>>,
  version: string | null,
): boolean {
  const term = environment["TERM"] ?? "";
  if (environment["TMUX"] !== undefined) return true;
  if (version !== null) return !/^xterm\(/i.test(version);
  const isCutting = environment["XTERM_VERSION"] !== undefined || environment["STY"] !== undefined;
  return !isCutting && !/^(?:linux|screen|vt\d|cygwin)/.test(term);
}
