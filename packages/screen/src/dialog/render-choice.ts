import { scrollField } from "../edit/text-field.ts";
import type { CellPosition, Row } from "../line/row.ts";
import type { Span } from "../line/styled-line.ts";
import { truncateRow } from "../width/fit-row.ts";
import { measureText } from "../width/text-width.ts";
import { wrapLine } from "../width/wrap-line.ts";
import type { Choice, ChoiceOption } from "./choice.ts";

/**
 * A dialog's rows, at most `maxRows`, and the caret's cell while one writes. The options are all shown where half of the room holds
 * them, else those around the one that is selected; the head scrolls.
 */
export function renderChoice(
  choice: Choice,
  room: { readonly columns: number; readonly maxRows: number },
): { readonly rows: readonly Row[]; readonly cursor: CellPosition | null } {
  const width = Math.max(1, room.columns - 1);
  const lines = choice.head.flatMap((line) => wrapLine(line, width));
  const options = optionRows(
    choice,
    width,
    Math.max(3, room.maxRows - Math.min(lines.length, Math.ceil(room.maxRows / 2))),
  );
  const head = headRows(lines, choice.scroll, { width, height: Math.max(1, room.maxRows - options.rows.length) });
  const { cursor } = options;
  return {
    rows: [...head, ...options.rows],
    cursor: cursor === null ? null : { row: head.length + cursor.row, column: cursor.column },
  };
}

function optionRows(choice: Choice, width: number, height: number): { rows: Row[]; cursor: CellPosition | null } {
  const { options, selected } = choice;
  const isCut = options.length > height;
  const shown = isCut ? height - 1 : options.length;
  const first = Math.max(0, Math.min(selected - Math.floor(shown / 2), options.length - shown));
  const rendered = options
    .slice(first, first + shown)
    .map((option, at) => optionRow(choice, option, { index: first + at, width }));
  const rows = rendered.map((option) => option.row);
  if (isCut) rows.push([{ text: `  ${first + 1} to ${first + shown} of ${options.length}`, roles: ["muted"] }]);
  const column = rendered[selected - first]?.column ?? null;
  return { rows, cursor: column === null ? null : { row: selected - first, column } };
}

function headRows(rows: readonly Row[], scroll: number, room: { width: number; height: number }): Row[] {
  if (rows.length <= room.height) return [...rows];
  const shown = Math.max(1, room.height - 1);
  const first = Math.min(scroll, rows.length - shown);
  const rest = rows.length - first - shown;
  const hint = rest > 0 ? `… ${rest} more rows (page down)` : "… the end (page up)";
  return [...rows.slice(first, first + shown), truncateRow([{ text: hint, roles: ["muted"] }], room.width)];
}

function optionRow(
  choice: Choice,
  option: ChoiceOption,
  place: { index: number; width: number },
): { row: Row; column: number | null } {
  const isSelected = place.index === choice.selected;
  const key = option.key === null ? "" : `${option.key}  `;
  const start: Span[] = [
    { text: isSelected ? "› " : "  ", roles: ["accent"] },
    { text: key, roles: ["accent", "strong"] },
    isSelected ? { text: option.label, roles: ["strong"] } : { text: option.label },
  ];
  const field = choice.fields[option.id];
  if (isSelected && choice.isWriting && field !== undefined) {
    const before = measureText(`  ${key}${option.label}: `);
    const seen = scrollField(field, Math.max(2, place.width - before), measureText);
    const hint = field.text === "" ? (option.field?.placeholder ?? "") : "";
    const row = truncateRow(
      [...start, { text: ": " }, { text: seen.text }, { text: hint, roles: ["muted"] }],
      place.width,
    );
    return { row, column: Math.min(place.width, before + seen.column) };
  }
  const given = field === undefined || field.text === "" ? "" : `: ${field.text}`;
  const detail = option.detail === undefined ? "" : `  ${option.detail}`;
  return {
    row: truncateRow([...start, { text: given }, { text: detail, roles: ["muted"] }], place.width),
    column: null,
  };
}
