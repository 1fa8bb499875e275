import { pluralize } from "@unroll/text";
import type { TextEdit } from "../edit/text-edit.ts";
import { scrollField } from "../edit/text-field.ts";
import { type CellPosition, type Row, toRowText } from "../line/row.ts";
import type { Span, StyledLine } from "../line/styled-line.ts";
import { findLine, holdsMatch, markMatches } from "../pager/search-pager.ts";
import { truncateRow } from "../width/fit-row.ts";
import { measureText } from "../width/text-width.ts";
import { wrapLine } from "../width/wrap-line.ts";
import type { Choice, ChoiceOption } from "./choice.ts";
import { findOptions } from "./find-options.ts";

/** How much of the screen a dialog may take, in cells. */
export interface ChoiceRoom {
  readonly columns: number;
  readonly maxRows: number;
}

/**
 * A dialog's rows, at most `maxRows`, and the caret's cell while one writes. The options are all shown where half of the room holds
 * them, else those around the one that is selected; the head scrolls.
 */
export function renderChoice(
  choice: Choice,
  room: ChoiceRoom,
): { readonly rows: readonly Row[]; readonly cursor: CellPosition | null } {
  const { head, options } = layOut(choice, room);
  const rows = headRows(head, choice);
  const { typing } = choice.finding;
  const cursor =
    typing === null
      ? options.cursor && { ...options.cursor, row: rows.length + options.cursor.row }
      : { row: rows.length - 1, column: 1 + measureText(typing.text.slice(0, typing.caret)) };
  return { rows: [...rows, ...options.rows], cursor };
}

/** Scrolls the head by a page, of which one row stays visible, or to its start or end. The last page is a whole one. */
export function scrollChoice(choice: Choice, room: ChoiceRoom, way: "on" | "back" | "start" | "end"): Choice {
  const { lines, shown } = layOut(choice, room).head;
  const last = Math.max(0, lines.length - shown);
  const by = Math.max(1, shown - 1);
  const now = Math.min(choice.scroll, last);
  const scroll = { on: now + by, back: now - by, start: 0, end: last }[way];
  return { ...choice, scroll: Math.max(0, Math.min(scroll, last)), isRead: choice.isRead || scroll >= last };
}

/** Selects another option: a page on or back, or the first or the last one that is found. A page is what is shown now. */
export function pageOptions(choice: Choice, room: ChoiceRoom, way: "on" | "back" | "start" | "end"): Choice {
  const by = Math.max(1, layOut(choice, room).options.count);
  const last = Math.max(0, findOptions(choice).length - 1);
  const selected = { on: choice.selected + by, back: choice.selected - by, start: 0, end: last }[way];
  return { ...choice, selected: Math.max(0, Math.min(selected, last)) };
}

/** Whether the head has more rows than there is room for. */
export function isHeadLong(choice: Choice, room: ChoiceRoom): boolean {
  const { lines, shown } = layOut(choice, room).head;
  return lines.length > shown;
}

/** Scrolls to the next line of the head that holds the query, and from its end on from its start. `from`: the line on top, or the next one. */
export function scrollToMatch(choice: Choice, room: ChoiceRoom, from: "top" | "next"): Choice {
  const { finding } = choice;
  const { query } = finding;
  if (query === null) return choice;
  const { lines, shown, width } = layOut(choice, room).head;
  const wrapped = choice.head.map((line) => wrapLine(line, width));
  let rows = 0;
  const starts = wrapped.map(({ length }) => (rows += length) - length);
  const top = starts.findLastIndex((start) => start <= choice.scroll);
  const at = (index: number): StyledLine => choice.head[index] ?? { spans: [], wrap: "words" };
  const source = { count: choice.head.length, at, textAt: (index: number) => toRowText(at(index).spans) };
  const first = from === "top" ? top : top + 1;
  const line = findLine(source, query, { from: first, by: 1 }) ?? findLine(source, query, { from: 0, by: 1 });
  if (line === null) return { ...choice, finding: { ...finding, isMissed: true } };
  const row = Math.max(0, wrapped[line]?.findIndex((each) => holdsMatch(each, query)) ?? 0);
  const last = Math.max(0, lines.length - shown);
  const scroll = Math.min((starts[line] ?? 0) + row, last);
  return { ...choice, scroll, isRead: choice.isRead || scroll >= last, finding: { ...finding, isMissed: false } };
}

/** Whether the end of the head is visible, or was before. */
export function isHeadRead(choice: Choice, room: ChoiceRoom): boolean {
  if (choice.isRead) return true;
  const { lines, shown } = layOut(choice, room).head;
  return choice.scroll >= lines.length - shown;
}

interface HeadRoom {
  readonly lines: readonly Row[];
  /** So many of them are seen at once. */
  readonly shown: number;
  readonly width: number;
}

function layOut(choice: Choice, room: ChoiceRoom): { head: HeadRoom; options: OptionRows } {
  const width = Math.max(1, room.columns - 1);
  const lines = choice.head.flatMap((line) => wrapLine(line, width));
  const options = optionRows(
    choice,
    width,
    Math.max(room.maxRows < 6 ? 1 : 3, room.maxRows - Math.min(lines.length, Math.ceil(room.maxRows / 2))),
  );
  const height = Math.max(1, room.maxRows - options.rows.length);
  const shown = lines.length <= height ? lines.length : Math.max(1, height - 1); // the hint takes a row
  return { head: { lines, shown, width }, options };
}

interface OptionRows {
  readonly rows: Row[];
  readonly cursor: CellPosition | null;
  /** How many options are shown. */
  readonly count: number;
}

function optionRows(choice: Choice, width: number, height: number): OptionRows {
  const search = searchRow(choice, width);
  const options = findOptions(choice);
  const room = height - search.rows.length;
  const isOneRow = height === 1; // of a window with hardly any: what the selected one begins with
  const rendered = options
    .map((option, index) => renderOption(choice, option, { index, width }))
    .map((option, index) => (isOneRow ? toOneRow(option, { index, count: options.length, width }) : option));
  const { first, count } = fitAround(rendered, choice.selected, room);
  const shown = rendered.slice(first, first + count);
  const rows = [...search.rows, ...shown.flatMap((option) => option.rows)];
  if (count < options.length && !isOneRow)
    rows.push([{ text: `  ${countRange(first, count)} of ${options.length}`, roles: ["muted"] }]);
  if (options.length === 0) rows.push([{ text: "  no match", roles: ["warning"] }]);
  const before = shown.slice(0, choice.selected - first).reduce((sum, option) => sum + option.rows.length, 0);
  const column = shown[choice.selected - first]?.column ?? null;
  return { rows, count, cursor: column === null ? search.cursor : { row: search.rows.length + before, column } };
}

/** The option's number is at the end of its row, since no row is left for it: `2 of 7`. */
function toOneRow(
  { rows, column }: RenderedOption,
  { index, count, width }: { readonly index: number; readonly count: number; readonly width: number },
): RenderedOption {
  const [row = []] = rows;
  if (column !== null || count < 2) return { rows: [row], column };
  const number = `  ${index + 1} of ${count}`;
  const label = truncateRow(row, Math.max(1, width - measureText(number)));
  return { rows: [[...label, { text: number, roles: ["muted"] }]], column };
}

/** As many options as there is room for, those around the selected one; where they do not all fit, a row says so. */
function fitAround(
  options: readonly RenderedOption[],
  selected: number,
  height: number,
): { readonly first: number; readonly count: number } {
  const all = options.reduce((sum, { rows }) => sum + rows.length, 0);
  if (all <= height) return { first: 0, count: options.length };
  let [first, end, room] = [selected, selected + 1, height - 1 - (options[selected]?.rows.length ?? 0)];
  for (let isGrown = true; isGrown;) {
    isGrown = false;
    for (const at of [first - 1, end]) {
      const rows = options[at]?.rows.length ?? Number.POSITIVE_INFINITY;
      if (rows > room) continue;
      room -= rows;
      isGrown = true;
      if (at < first) first = at;
      else end = at + 1;
    }
  }
  return { first, count: end - first };
}

/** `3`, `3 to 8`. */
function countRange(first: number, count: number): string {
  return count < 2 ? `${first + 1}` : `${first + 1} to ${first + count}`;
}

const searchLabel = "  search: ";

function searchRow({ search }: Choice, width: number): { rows: Row[]; cursor: CellPosition | null } {
  if (search === null) return { rows: [], cursor: null };
  const before = measureText(searchLabel);
  const seen = scrollField(search, Math.max(2, width - before), measureText);
  const row = truncateRow([{ text: searchLabel, roles: ["muted"] }, { text: seen.text }], width);
  return { rows: [row], cursor: { row: 0, column: Math.min(width, before + seen.column) } };
}

function headRows({ lines, shown, width }: HeadRoom, { scroll, finding }: Choice): Row[] {
  const { typing, query } = finding;
  if (lines.length <= shown) return [...lines];
  const first = Math.min(scroll, lines.length - shown);
  const rest = lines.length - first - shown;
  const hint =
    rest > 0 ? `… ${pluralize(rest, "more row")} (Page Down, End, / to search)` : "… the end (Page Up, Home)";
  const foot: Span =
    typing !== null
      ? { text: `/${typing.text}` }
      : finding.isMissed
        ? { text: `not found: ${query}`, roles: ["warning"] }
        : { text: hint, roles: ["muted"] };
  const rows = lines.slice(first, first + shown);
  return [...(query === null ? rows : rows.map((row) => markMatches(row, query))), truncateRow([foot], width)];
}

interface RenderedOption {
  readonly rows: readonly Row[];
  /** The caret's column; null: the option has no open field. */
  readonly column: number | null;
}

function renderOption(
  choice: Choice,
  option: ChoiceOption,
  place: { readonly index: number; readonly width: number },
): RenderedOption {
  const isSelected = place.index === choice.selected;
  const key = option.key === null ? "" : `${option.key}  `;
  const start: Span[] = [
    { text: isSelected ? "› " : "  ", roles: ["accent"] },
    { text: key, roles: ["accent", "strong"] },
    isSelected ? { text: option.label, roles: ["strong"] } : { text: option.label },
  ];
  const field = showField(choice, option);
  const indent = measureText(`  ${key}`);
  if (isSelected && choice.isWriting && field !== null) {
    const before = indent + measureText(`${option.label}: `);
    const seen = scrollField(field, Math.max(2, place.width - before), measureText);
    const hint = field.text === "" ? (option.field?.placeholder ?? "") : "";
    const row = truncateRow(
      [...start, { text: ": " }, { text: seen.text }, { text: hint, roles: ["muted"] }],
      place.width,
    );
    return { rows: [row], column: Math.min(place.width, before + seen.column) };
  }
  // the label already shows the field's initial text
  const isOwn = field !== null && field.text !== "" && field.text !== option.field?.text;
  const given = isOwn ? `: ${field.text}` : "";
  const detail = option.detail === undefined ? "" : `  ${option.detail}`;
  const spans: Row = [...start, { text: given }, { text: detail, roles: ["muted"] }];
  // Each option that a search finds takes one row.
  if (choice.search !== null) return { rows: [truncateRow(spans, place.width)], column: null };
  const hanging = [{ text: " ".repeat(indent) }];
  return { rows: wrapLine({ spans, wrap: "words", hanging }, place.width), column: null };
}

/** An option's text as it is shown, with dots for a secret; null: it has no field. */
function showField({ fields }: Choice, { id, field }: ChoiceOption): TextEdit | null {
  const written = fields[id];
  if (written === undefined) return null;
  return field?.isSecret === true ? { text: "•".repeat(written.text.length), caret: written.caret } : written;
}
