import type { Row } from "../line/row.ts";
import { measureRow, truncateRow } from "../width/fit-row.ts";
import { measureText } from "../width/text-width.ts";
import type { ChoiceOption } from "./choice.ts";

/** Options as rows of a table. */
export interface Table {
  /** The option in at most the table's width. */
  render(option: ChoiceOption, isSelected: boolean): Row;
}

type TableOption = Pick<ChoiceOption, "label" | "detail" | "columns">;

const gap = 2;
/** A column is shown only where the label keeps so many cells; the first that fits may leave it fewer. */
const leastLabel = { beforeOne: 20, beforeMore: 24 };

/** Labels with their details come first, then the columns that fit, aligned. */
export function createTable(options: readonly TableOption[], width: number): Table {
  const widths = measureColumns(options);
  const shown: number[] = [];
  let left = width;
  for (const [at, column] of widths.entries()) {
    if (left - column - gap < (shown.length === 0 ? leastLabel.beforeOne : leastLabel.beforeMore)) continue;
    left -= column + gap;
    shown.push(at);
  }
  return {
    render({ label, detail, columns = [] }, isSelected) {
      const named: Row = [
        isSelected ? { text: label, roles: ["strong"] } : { text: label },
        ...(detail === undefined ? [] : [{ text: `  ${detail}`, roles: ["muted"] } as const]),
      ];
      const row = truncateRow(named, left);
      const cells = shown.map((at) => pad(columns[at] ?? "", widths[at] ?? 0));
      if (cells.length === 0) return row;
      const rest = `${" ".repeat(left - measureRow(row) + gap)}${cells.join(" ".repeat(gap))}`.trimEnd();
      return rest === "" ? row : [...row, { text: rest, roles: ["muted"] }];
    },
  };
}

function measureColumns(options: readonly TableOption[]): readonly number[] {
  const widths: number[] = [];
  for (const { columns = [] } of options)
    for (const [at, text] of columns.entries()) widths[at] = Math.max(widths[at] ?? 0, measureText(text));
  return widths;
}

function pad(text: string, width: number): string {
  return text + " ".repeat(width - measureText(text));
}
