import type { TextEdit } from "../edit/text-edit.ts";
import { scrollField } from "../edit/text-field.ts";
import { type Keymap, showFirstKey } from "../key/keymap.ts";
import type { CellPosition, Row } from "../line/row.ts";
import type { Span } from "../line/styled-line.ts";
import { alignRow, truncateRow } from "../width/fit-row.ts";
import { measureText } from "../width/text-width.ts";
import { wrapLine } from "../width/wrap-line.ts";
import type { Choice, ChoiceAction, ChoiceOption } from "./choice.ts";
import { findOptions } from "./find-options.ts";
import { showOptionKey } from "./option-key.ts";
import { createTable, type Table } from "./option-table.ts";

interface OptionRoom {
  readonly width: number;
  /** In rows. */
  readonly height: number;
  readonly keymap: Keymap;
}

interface RenderedOptions {
  readonly rows: readonly Row[];
  readonly cursor: CellPosition | null;
  /** How many options are seen. */
  readonly count: number;
}

/** The options below a dialog's head, with what belongs to them: the search, a notice, facts about the selected one, the keys. */
export function renderOptions(choice: Choice, { width, height, keymap }: OptionRoom): RenderedOptions {
  const found = findOptions(choice);
  const notice = noticeRows(choice, width);
  const below = height === 1 ? [] : footRows(choice, found[choice.selected] ?? null, { width, height, keymap });
  const searchRows = choice.search === null ? 0 : 1;
  const list = renderList(choice, found, {
    width,
    height: height - searchRows - notice.length - below.length,
    keymap,
  });
  const search = searchRow(choice, list.range, width);
  const above = [...search.rows, ...notice];
  const cursor = list.cursor && { ...list.cursor, row: above.length + list.cursor.row };
  return { rows: [...above, ...list.rows, ...below], cursor: cursor ?? search.cursor, count: list.count };
}

interface RenderedList extends RenderedOptions {
  /** Which of the options are seen; null: all. */
  readonly range: string | null;
}

function renderList(
  choice: Choice,
  found: readonly ChoiceOption[],
  { width, height, keymap }: OptionRoom,
): RenderedList {
  if (found.length === 0) {
    const text = choice.options.length === 0 ? "  (empty)" : "  no match";
    return { rows: [[{ text, roles: ["warning"] }]], cursor: null, count: 0, range: null };
  }
  const isOneRow = height <= 1; // of a window with hardly any: what the selected one begins with
  const isSearched = choice.search !== null; // then each option takes one row, and only those that are seen are rendered
  const render = createOptionRenderer(choice, width, keymap);
  const rendered = isSearched ? [] : found.map(render);
  const heights = found.map((_, index) => (isOneRow || isSearched ? 1 : (rendered[index]?.rows.length ?? 1)));
  const room = Math.max(1, height);
  const { first, count } = fitAround(heights, choice.selected, { room, foot: isSearched ? 0 : 1 });
  const shown = found
    .slice(first, first + count)
    .map((option, at) => rendered[first + at] ?? render(option, first + at));
  const range = count < found.length ? `${countRange(first, count)} of ${found.length}` : null;
  const rows = shown.flatMap((option) => (isOneRow && !isSearched ? [toOneRow(option, range, width)] : option.rows));
  if (range !== null && !isSearched && !isOneRow) rows.push([{ text: `  ${range}`, roles: ["muted"] }]);
  const before = shown.slice(0, choice.selected - first).reduce((sum, option) => sum + option.rows.length, 0);
  const { column = null, rows: own = [] } = shown[choice.selected - first] ?? {};
  const caretRow = isOneRow ? before : before + own.length - 1;
  return { rows, cursor: column === null ? null : { row: caretRow, column }, count, range };
}

/** The option's number is at the end of its row, since no row is left for it: `2 of 7`. */
function toOneRow({ rows: all, column }: RenderedOption, range: string | null, width: number): Row {
  const [row = []] = column === null ? all : all.slice(-1);
  if (column !== null || range === null) return row;
  const number = `  ${range}`;
  const label = truncateRow(row, Math.max(1, width - measureText(number)));
  return [...label, { text: number, roles: ["muted"] }];
}

/** As many options as there is room for, those around the selected one. Where they do not all fit, `foot` rows are needed to say so. */
function fitAround(
  heights: readonly number[],
  selected: number,
  { room: height, foot }: { readonly room: number; readonly foot: number },
): { readonly first: number; readonly count: number } {
  if (heights.reduce((sum, rows) => sum + rows, 0) <= height) return { first: 0, count: heights.length };
  let [first, end, room] = [selected, selected + 1, height - foot - (heights[selected] ?? 0)];
  for (let isGrown = true; isGrown;) {
    isGrown = false;
    for (const at of [first - 1, end]) {
      const rows = heights[at] ?? Number.POSITIVE_INFINITY;
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

/** The text that is typed, and behind it which options are seen. */
function searchRow(
  { search }: Choice,
  range: string | null,
  width: number,
): { readonly rows: readonly Row[]; readonly cursor: CellPosition | null } {
  if (search === null) return { rows: [], cursor: null };
  const before = measureText(searchLabel);
  const behind = range === null ? 0 : measureText(range) + 2;
  const seen = scrollField(search, Math.max(2, width - before - behind), measureText);
  const row: Row = [{ text: searchLabel, roles: ["muted"] }, { text: seen.text }];
  const aligned = range === null ? truncateRow(row, width) : alignRow(row, [{ text: range, roles: ["muted"] }], width);
  return { rows: [aligned], cursor: { row: 0, column: Math.min(width, before + seen.column) } };
}

const indent: Row = [{ text: "  " }];

function noticeRows({ notice }: Choice, width: number): readonly Row[] {
  if (notice === null) return [];
  return wrapLine({ spans: [...indent, { text: notice, roles: ["warning"] }], wrap: "words", hanging: indent }, width);
}

/** With fewer rows for the options, there are no facts below them, and the keys take at most a third of the rows. */
const roomyHeight = 12;
const mostFacts = 3;

function footRows(
  choice: Choice,
  selected: ChoiceOption | null,
  { width, height, keymap }: OptionRoom,
): readonly Row[] {
  const isRoomy = height >= roomyHeight;
  const facts = isRoomy ? (selected?.about ?? []).slice(0, mostFacts) : [];
  const about = facts.map((text) => truncateRow([...indent, { text, roles: ["muted"] }], width));
  const mostRows = isRoomy ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(height / 3));
  return [
    ...(about.length > 0 ? [[], ...about] : []),
    ...keyRows(nameActions(choice.actions, keymap), width, mostRows),
  ];
}

/** The keys with what they do. An action without a key is left out. */
function nameActions(actions: readonly ChoiceAction[], keymap: Keymap): readonly string[] {
  return actions.flatMap(({ action, label }) => {
    const key = showFirstKey(keymap, action);
    return key === null ? [] : [`${key} ${label}`];
  });
}

/** In as many rows as it takes, at most `mostRows`: closer together if they do not fit else, and then the last row is cut. */
function keyRows(names: readonly string[], width: number, mostRows: number): readonly Row[] {
  const wide = packRows(names, "  ", width);
  const rows = wide.length <= mostRows ? wide : packRows(names, " ", width);
  const shown = rows.length <= mostRows ? rows : [...rows.slice(0, mostRows - 1), rows.slice(mostRows - 1).join("")];
  return shown.map((text) => truncateRow([{ text, roles: ["muted"] }], width));
}

/** `gap`: in front of each name. */
function packRows(names: readonly string[], gap: string, width: number): readonly string[] {
  const rows: string[] = [];
  for (const name of names) {
    const longer = rows.length === 0 ? null : `${rows.at(-1)}${gap}${name}`;
    if (longer !== null && measureText(longer) <= width) rows[rows.length - 1] = longer;
    else rows.push(`${gap}${name}`);
  }
  return rows;
}

/** With fewer cells behind its label, a field has a row of its own. */
const leastField = 16;

interface RenderedOption {
  readonly rows: readonly Row[];
  /** The caret's column in the last row; null: the option has no open field. */
  readonly column: number | null;
}

type OptionRenderer = (option: ChoiceOption, index: number) => RenderedOption;

function createOptionRenderer(choice: Choice, width: number, keymap: Keymap): OptionRenderer {
  const table = choice.search === null ? null : createTable(choice.options, width - 2);
  return (option, index) => renderOption(choice, option, { index, width, table, keymap });
}

interface OptionPlace {
  readonly index: number;
  readonly width: number;
  /** Null: options take as many rows as they need. */
  readonly table: Table | null;
  readonly keymap: Keymap;
}

function renderOption(choice: Choice, option: ChoiceOption, place: OptionPlace): RenderedOption {
  const { index, width, table, keymap } = place;
  const isSelected = index === choice.selected;
  const mark: Span = { text: isSelected ? "› " : "  ", roles: ["accent"] };
  if (table !== null && option.field === undefined)
    return { rows: [[mark, ...table.render(option, isSelected)]], column: null };
  const shownKey = showOptionKey(option, keymap);
  const key = shownKey === null ? "" : `${shownKey}  `;
  const start: Span[] = [
    mark,
    { text: key, roles: ["accent", "strong"] },
    isSelected ? { text: option.label, roles: ["strong"] } : { text: option.label },
  ];
  const field = showField(choice, option);
  const indentWidth = measureText(`  ${key}`);
  if (isSelected && choice.isWriting && field !== null) {
    const labelEnd = indentWidth + measureText(`${option.label}: `);
    const hasOwnRow = width - labelEnd < leastField;
    const before = hasOwnRow ? indentWidth : labelEnd;
    const seen = scrollField(field, Math.max(2, width - before), measureText);
    const hint = field.text === "" ? (option.field?.placeholder ?? "") : "";
    const written: Row = [{ text: seen.text }, { text: hint, roles: ["muted"] }];
    const margin: Row = [{ text: " ".repeat(indentWidth) }];
    const label: Row = [...start, { text: ": " }];
    const above = hasOwnRow ? wrapLine({ spans: label, wrap: "words", hanging: margin }, width) : [];
    const row = truncateRow([...(hasOwnRow ? margin : label), ...written], width);
    return { rows: [...above, row], column: Math.min(width, before + seen.column) };
  }
  // the label already shows the field's initial text
  const isOwn = field !== null && field.text !== "" && field.text !== option.field?.text;
  const own = isOwn ? field.text : field === null ? "" : (choice.search?.text ?? "");
  const given = own === "" ? "" : `: ${own}`;
  const detail = option.detail === undefined ? "" : `  ${option.detail}`;
  const spans: Row = [...start, { text: given }, { text: detail, roles: ["muted"] }];
  return {
    rows: wrapLine({ spans, wrap: "words", hanging: [{ text: " ".repeat(indentWidth) }] }, width),
    column: null,
  };
}

/** An option's text as it is shown, with dots for a secret; null: it has no field. */
function showField({ fields }: Choice, { id, field }: ChoiceOption): TextEdit | null {
  const written = fields[id];
  if (written === undefined) return null;
  return field?.isSecret === true ? { text: "•".repeat(written.text.length), caret: written.caret } : written;
}
