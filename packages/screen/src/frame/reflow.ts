import { breakText } from "../width/break-text.ts";
import type { CellPosition } from "./live-part.ts";

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

/** The rows from the region's top to the cursor now, and whether the terminal wraps written lines anew, as far as is known. */
export interface FoundTop {
  readonly rowsAbove: number;
  readonly reflows: boolean;
}

/**
 * Where the region's top went. Terminals either wrap what is written anew, or cut it; the answer tells which where the two differ,
 * else `reflows` is believed. In doubt about the cursor's own row the smaller distance is taken: a row that stays is better than one
 * that is lost.
 */
export function findTop(region: StoodRegion, window: ChangedWindow, reflows: boolean): FoundTop {
  const { cursor } = region;
  const cut = cursor.row;
  if (window.columns >= region.columns) return { rowsAbove: cut, reflows };
  const heights = region.rows.map((row) => countRows(row, window.columns));
  const above = sum(heights.slice(0, cursor.row));
  // Some terminals leave the cursor's own line as it is. Where it was wrapped, the cursor went on with it.
  const isOwnWrapped =
    cursor.column >= window.columns && window.answer !== null && window.answer.column === (cursor.column % window.columns) + 1;
  const own = isOwnWrapped ? Math.floor(cursor.column / window.columns) : 0;
  const wrapped = above + own;
  if (wrapped === cut) return { rowsAbove: cut, reflows };
  const seen = judge({ region, window, heights, grown: wrapped - cut });
  return (seen ?? reflows) ? { rowsAbove: wrapped, reflows: seen ?? reflows } : { rowsAbove: cut, reflows: false };
}

interface Evidence {
  readonly region: StoodRegion;
  readonly window: ChangedWindow;
  readonly heights: readonly number[];
  readonly grown: number;
}

/** Whether the cursor stands where wrapping anew would have put it (true), or where it stood (false); null where both are one. */
function judge(evidence: Evidence): boolean | null {
  const { region, window, heights, grown } = evidence;
  if (window.answer === null || region.screenRow === null) return null;
  const below = region.rows.length - 1 - region.cursor.row;
  const asCut = Math.min(region.screenRow, window.screenRows - below);
  const lowest = window.screenRows - sum(heights.slice(region.cursor.row + 1));
  // From a region at the screen's end the wrapped rows go up; one further up is pushed down, by the wrapped lines above it too.
  const asWrapped = Math.min(lowest, region.screenRow + grown);
  const { row } = window.answer;
  if (row === asCut) return asCut === asWrapped ? null : false;
  return row >= asWrapped ? true : null;
}

function countRows(text: string, columns: number): number {
  return breakText(text, { firstWidth: columns, nextWidth: columns, at: "cells" }).length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
