import { scrollField } from "../edit/text-field.ts";
import type { CellPosition } from "../line/row.ts";
import type { Row } from "../line/row.ts";
import type { Span } from "../line/styled-line.ts";
import { truncateRow } from "../width/fit-row.ts";
import { measureText } from "../width/text-width.ts";
import { wrapLine } from "../width/wrap-line.ts";
import type { Choice, ChoiceOption } from "./choice.ts";

/** A dialog's rows, at most `maxRows`, and the caret's cell while one writes. All options are shown; the head scrolls. */
export function renderChoice(
  choice: Choice,
  room: { readonly columns: number; readonly maxRows: number },
): { readonly rows: readonly Row[]; readonly cursor: CellPosition | null } {
  const width = Math.max(1, room.columns - 1);
  const options = choice.options.map((option, index) => optionRow(choice, option, { index, width }));
  const head = headRows(choice, width, Math.max(1, room.maxRows - options.length));
  const column = options[choice.selected]?.column ?? null;
  return {
    rows: [...head, ...options.map((option) => option.row)],
    cursor: column === null ? null : { row: head.length + choice.selected, column },
  };
}

function headRows(choice: Choice, width: number, height: number): Row[] {
  const rows = choice.head.flatMap((line) => wrapLine(line, width));
  if (rows.length <= height) return rows;
  const shown = Math.max(1, height - 1);
  const first = Math.min(choice.scroll, rows.length - shown);
  const rest = rows.length - first - shown;
  const hint = rest > 0 ? `… ${rest} more rows (page down)` : "… the end (page up)";
  return [...rows.slice(first, first + shown), truncateRow([{ text: hint, roles: ["muted"] }], width)];
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
