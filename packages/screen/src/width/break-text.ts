import { isSimpleText, isUnjoinedText, isWideLetter, splitGraphemes } from "./grapheme.ts";
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
  // One for all characters: a paragraph that comes is broken anew with each frame.
  const cell: Cell = { start: 0, end: 0, width: 1, isSpace: false };

  function place(): void {
    if (cell.width === 2 && options.at !== "cells") noteChance(row, cell.start, cell.start);
    while (overflows(row, cell, options.at)) {
      const end = row.chanceNext < 0 ? cell.start : row.chanceEnd;
      const next = row.chanceNext < 0 ? cell.start : row.chanceNext;
      const width = row.chanceNext < 0 ? row.width : row.chanceWidth;
      rows.push({ start: row.start, end });
      row = openRow(next, row.width - width, options.nextWidth);
    }
    addCell(row, cell, options.at);
  }

  if (isUnjoinedText(text)) {
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      cell.start = at;
      cell.end = at + 1;
      cell.width = isWideLetter(unit) ? 2 : 1;
      cell.isSpace = unit === space;
      place();
    }
  } else {
    for (const grapheme of splitGraphemes(text)) {
      cell.start = cell.end;
      cell.end = cell.start + grapheme.length;
      cell.width = measureGrapheme(grapheme);
      cell.isSpace = grapheme === " ";
      place();
    }
  }
  rows.push({ start: row.start, end: text.length });
  return rows;
}

const space = 0x20;

interface Cell {
  start: number;
  end: number;
  width: number;
  isSpace: boolean;
}

interface OpenRow {
  readonly start: number;
  readonly limit: number;
  width: number;
  /** The last place where the row may end: where its text ends, where the next begins (-1: there is none), and the cells up to there. */
  chanceEnd: number;
  chanceNext: number;
  chanceWidth: number;
}

function openRow(start: number, width: number, limit: number): OpenRow {
  return { start, limit, width, chanceEnd: -1, chanceNext: -1, chanceWidth: 0 };
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
  else if (row.chanceNext === cell.start && row.chanceEnd < cell.start) {
    row.chanceNext = cell.end;
    row.chanceWidth = row.width;
  } else noteChance(row, cell.start, cell.end);
}

function noteChance(row: OpenRow, end: number, next: number): void {
  if (end <= row.start) return;
  row.chanceEnd = end;
  row.chanceNext = next;
  row.chanceWidth = row.width;
}
