import { isSimpleText, splitGraphemes } from "./grapheme.ts";
import { measureGrapheme } from "./text-width.ts";

/** A part of a text, by UTF-16 offsets. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface BreakOptions {
  /** Cells of the first row, at least 1. */
  readonly firstWidth: number;
  /** Cells of each row behind it, at least 1. */
  readonly nextWidth: number;
  /**
   * `words` breaks between words and leaves out the spaces there; `typed` breaks between words and keeps each space, so that a
   * caret can stand on it; `cells` breaks wherever the row is full.
   */
  readonly at: "words" | "typed" | "cells";
}

/** The rows that a text without line breaks takes: at least one. A word that is wider than a row is broken. */
export function breakText(text: string, options: BreakOptions): TextRange[] {
  if (text.length <= options.firstWidth && isSimpleText(text)) return [{ start: 0, end: text.length }];
  const rows: TextRange[] = [];
  let row = openRow(0, 0, options.firstWidth);
  let offset = 0;
  for (const grapheme of splitGraphemes(text)) {
    const cell = {
      start: offset,
      end: offset + grapheme.length,
      width: measureGrapheme(grapheme),
      isSpace: grapheme === " ",
    };
    offset = cell.end;
    if (cell.width === 2 && options.at !== "cells") noteChance(row, cell.start, cell.start);
    while (overflows(row, cell, options.at)) {
      const { end, next, width } = row.chance ?? { end: cell.start, next: cell.start, width: row.width };
      rows.push({ start: row.start, end });
      row = openRow(next, row.width - width, options.nextWidth);
    }
    addCell(row, cell, options.at);
  }
  rows.push({ start: row.start, end: text.length });
  return rows;
}

interface Cell extends TextRange {
  readonly width: number;
  readonly isSpace: boolean;
}

interface OpenRow {
  readonly start: number;
  readonly limit: number;
  width: number;
  /** The last place where the row may end: where its text ends, where the next begins, and the cells up to there. */
  chance: { end: number; next: number; width: number } | null;
}

function openRow(start: number, width: number, limit: number): OpenRow {
  return { start, limit, width, chance: null };
}

function overflows(row: OpenRow, cell: Cell, at: BreakOptions["at"]): boolean {
  if (at === "words" && cell.isSpace) return false;
  return row.width + cell.width > row.limit && cell.start > row.start;
}

function addCell(row: OpenRow, cell: Cell, at: BreakOptions["at"]): void {
  row.width += cell.width;
  if (!cell.isSpace || at === "cells") {
    if (cell.width === 2 && at !== "cells") noteChance(row, cell.end, cell.end);
  } else if (at === "typed") noteChance(row, cell.end, cell.end);
  else if (row.chance?.next === cell.start && row.chance.end < cell.start) {
    row.chance = { ...row.chance, next: cell.end, width: row.width };
  } else noteChance(row, cell.start, cell.end);
}

function noteChance(row: OpenRow, end: number, next: number): void {
  if (end > row.start) row.chance = { end, next, width: row.width };
}
