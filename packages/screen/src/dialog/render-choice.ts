import { pluralize } from "@unroll/text";
import type { KeyAction } from "../key/key-actions.ts";
import { defaultKeymap, type Keymap, showFirstKey } from "../key/keymap.ts";
import { type CellPosition, type Row, toRowText } from "../line/row.ts";
import type { Span, StyledLine } from "../line/styled-line.ts";
import { findLine, holdsMatch, markMatches } from "../pager/search-pager.ts";
import { truncateRow } from "../width/fit-row.ts";
import { measureText } from "../width/text-width.ts";
import { wrapLine } from "../width/wrap-line.ts";
import type { Choice } from "./choice.ts";
import { findOptions } from "./find-options.ts";
import { renderOptions } from "./render-options.ts";

/** How much of the screen a dialog may take, in cells. */
export interface ChoiceRoom {
  readonly columns: number;
  readonly maxRows: number;
  /** For the keys that are shown. Absent: those by default. */
  readonly keymap?: Keymap;
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
  const rows = headRows(head, choice, room.keymap ?? defaultKeymap);
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

function layOut(choice: Choice, room: ChoiceRoom): { head: HeadRoom; options: ReturnType<typeof renderOptions> } {
  const width = Math.max(1, room.columns - 1);
  const lines = choice.head.flatMap((line) => wrapLine(line, width));
  const least = room.maxRows < 6 ? 1 : 3;
  const options = renderOptions(choice, {
    width,
    height: Math.max(least, room.maxRows - Math.min(lines.length, Math.ceil(room.maxRows / 2))),
    keymap: room.keymap ?? defaultKeymap,
  });
  const height = Math.max(1, room.maxRows - options.rows.length);
  const shown = lines.length <= height ? lines.length : Math.max(1, height - 1); // the hint takes a row
  return { head: { lines, shown, width }, options };
}

function headRows({ lines, shown, width }: HeadRoom, { scroll, finding }: Choice, keymap: Keymap): Row[] {
  const { typing, query } = finding;
  if (lines.length <= shown) return [...lines];
  const first = Math.min(scroll, lines.length - shown);
  const rest = lines.length - first - shown;
  const find = showFirstKey(keymap, "list.find");
  const on = [
    ...nameKeys(keymap, ["list.page_down", "list.jump_bottom"]),
    ...(find === null ? [] : [`${find} to search`]),
  ];
  const back = nameKeys(keymap, ["list.page_up", "list.jump_top"]);
  const hint = rest > 0 ? addKeys(`… ${pluralize(rest, "more row")}`, on, width) : addKeys("… the end", back, width);
  const foot: Span =
    typing !== null
      ? { text: `/${typing.text}` }
      : finding.isMissed
        ? { text: `not found: ${query}`, roles: ["warning"] }
        : { text: hint, roles: ["muted"] };
  const rows = lines.slice(first, first + shown);
  return [...(query === null ? rows : rows.map((row) => markMatches(row, query))), truncateRow([foot], width)];
}

/** The first key of each action that has one. */
function nameKeys(keymap: Keymap, actions: readonly KeyAction[]): readonly string[] {
  return actions.flatMap((action) => showFirstKey(keymap, action) ?? []);
}

/** Adds ` (Page Down, End, / to search)`: as many of the keys, from the first on, as the width has room for. */
function addKeys(text: string, keys: readonly string[], width: number): string {
  if (keys.length === 0) return text;
  const whole = `${text} (${keys.join(", ")})`;
  return measureText(whole) <= width ? whole : addKeys(text, keys.slice(0, -1), width);
}
