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
   * `words` breaks between words and drops the spaces there; `typed` breaks between words and keeps each space, so that the
   * caret can be on it; `cells` breaks wherever the row is full.
   */
  readonly at: "words" | "typed" | "cells";
}

/** The rows that a text without line breaks takes: at least one. A word that is wider than a row is broken. */
export function breakText(text: string, { firstWidth, nextWidth, at }: BreakOptions): TextRange[] {
  if (text.length <= firstWidth && isSimpleText(text)) return [{ start: 0, end: text.length }];
  const breaking: Breaking = { text, nextWidth, at, rows: [], row: openRow(0, 0, firstWidth) };
  if (isUnjoinedText(text)) placeUnits(breaking);
  else placeGraphemes(breaking);
  breaking.rows.push({ start: breaking.row.start, end: text.length });
  return breaking.rows;
}

interface Breaking extends Pick<BreakOptions, "nextWidth" | "at"> {
  readonly text: string;
  readonly rows: TextRange[];
  row: OpenRow;
}

/** Of nearly all text whole words fit, each a unit a cell: only where a row is full, or with a wide letter, one is looked at by itself. */
function placeUnits(breaking: Breaking): void {
  const { text } = breaking;
  const cell: Cell = { start: 0, end: 0, width: 1, isSpace: false }; // reused: a streamed paragraph is wrapped again for each frame
  let plainEnd = 0;
  for (let at = 0; at < text.length;) {
    if (at >= plainEnd) plainEnd = findPlainEnd(text, at);
    const fitting = Math.min(plainEnd, at + breaking.row.limit - breaking.row.width);
    if (fitting > at) {
      addPlain(breaking, at, fitting);
      at = fitting;
    } else {
      const unit = text.charCodeAt(at);
      cell.start = at;
      cell.end = at += 1;
      cell.width = isWideLetter(unit) ? 2 : 1;
      cell.isSpace = unit === space;
      placeCell(breaking, cell);
    }
  }
}

function placeGraphemes(breaking: Breaking): void {
  const cell: Cell = { start: 0, end: 0, width: 1, isSpace: false };
  for (const grapheme of splitGraphemes(breaking.text)) {
    cell.start = cell.end;
    cell.end = cell.start + grapheme.length;
    cell.width = measureGrapheme(grapheme);
    cell.isSpace = grapheme === " ";
    placeCell(breaking, cell);
  }
}

function placeCell(breaking: Breaking, cell: Cell): void {
  const { rows, at, nextWidth } = breaking;
  if (cell.width === 2 && at !== "cells") noteChance(breaking.row, cell.start, cell.start);
  while (overflows(breaking.row, cell, at)) {
    const { row } = breaking;
    const end = row.chanceNext < 0 ? cell.start : row.chanceEnd;
    const next = row.chanceNext < 0 ? cell.start : row.chanceNext;
    const width = row.chanceNext < 0 ? row.width : row.chanceWidth;
    rows.push({ start: row.start, end });
    breaking.row = openRow(next, row.width - width, nextWidth);
  }
  addCell(breaking.row, cell, at);
}

/** ASCII that fits into the row: as if its characters were added one by one. */
function addPlain({ text, row, at }: Breaking, start: number, end: number): void {
  const last = at === "cells" ? -1 : text.lastIndexOf(" ", end - 1);
  if (last >= start) {
    let first = last;
    while (at === "words" && first > row.start + 1 && text.charCodeAt(first - 1) === space) first -= 1;
    row.width += last + 1 - start;
    noteChance(row, at === "words" ? first : last + 1, last + 1);
    row.width += end - last - 1;
  } else row.width += end - start;
}

function findPlainEnd(text: string, start: number): number {
  plain.lastIndex = start;
  plain.test(text);
  return plain.lastIndex;
}

const plain = /[ -~]*/y;
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
