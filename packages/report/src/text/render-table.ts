import { countColumns, foldLine, showHidden } from "@unroll/text";

/** A column of a table in text. */
export interface TableColumn<Row> {
  /** Its heading; without any heading in a layout, the table has no such row. */
  readonly title?: string;
  readonly align?: "right";
  /** Its least width, in cells, which aligns rows that are rendered one by one. */
  readonly least?: number;
  readonly value: (row: Row) => string;
}

/** The columns of a table, and the room for them. */
export interface TableOptions<Row> {
  /** Layouts, the fullest one first. The last column of a layout may be folded. */
  readonly layouts: readonly (readonly TableColumn<Row>[])[];
  /** The width of the terminal, in cells; null: no terminal, so each row is one line of the fullest layout. */
  readonly width: number | null;
}

/** A table in text. */
export interface RenderedTable {
  readonly lines: readonly string[];
  /** Whether it is the fullest layout. */
  readonly isFull: boolean;
}

const gap = 2;
/** A cell that is folded has at least so many cells of the terminal. */
const fewest = 16;
/** A last column with less room goes below the others. */
const leastBeside = 24;
/** The margin of columns below the first line of their row. */
const below = 4;

/**
 * Renders rows as columns. The first layout that fits the terminal is used. If none fits, the columns of the last one continue
 * below, and no line is wider than the terminal (at least 20 cells).
 */
export function renderTable<Row>(rows: readonly Row[], { layouts, width }: TableOptions<Row>): RenderedTable {
  const tables = layouts.map((columns) => measureTable(rows, columns, width));
  const fitting = width === null ? 0 : tables.findIndex(({ widths }) => fits(widths, width));
  const table = tables.at(fitting);
  if (table === undefined) return { lines: [], isFull: true };
  const places = placeColumns(table.widths, width);
  const lines = table.cells.flatMap((cells) => renderRow(cells, places, width));
  return { lines, isFull: table === tables[0] };
}

interface MeasuredTable {
  /** With the headings, right-aligned cells padded. */
  readonly cells: readonly (readonly string[])[];
  readonly widths: readonly number[];
}

/** A cell over half of the terminal does not count for its column's width: the cells behind it go below. */
function measureTable<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  width: number | null,
): MeasuredTable {
  const headings = columns.map(({ title = "" }) => title);
  const table = [
    ...(headings.some((title) => title !== "") ? [headings] : []),
    ...rows.map((row) => columns.map(({ value }) => showHidden(value(row)).replaceAll(/\s*[\r\n]+\s*/g, " "))),
  ];
  const widths = columns.map(({ least = 0 }, at) => {
    const longest = width === null || at === columns.length - 1 ? Infinity : Math.floor(width / 2);
    return table.reduce((most, cells) => {
      const count = countColumns(cells[at] ?? "");
      return Math.max(most, count > longest ? fewest : count);
    }, least);
  });
  const cells = table.map((row) =>
    row.map((cell, at) => (columns[at]?.align === "right" ? padStart(cell, widths[at] ?? 0) : cell)),
  );
  return { cells, widths };
}

function fits(widths: readonly number[], width: number): boolean {
  const left = widths.slice(0, -1).reduce((sum, each) => sum + each + gap, 0);
  return left + Math.min(widths.at(-1) ?? 0, leastBeside) <= width;
}

interface Place {
  /** From 0, within the row. */
  readonly line: number;
  /** In cells. */
  readonly margin: number;
}

function placeColumns(widths: readonly number[], width: number | null): readonly Place[] {
  let [line, margin] = [0, 0];
  return widths.map((each, at) => {
    const needed = at === widths.length - 1 ? Math.min(each, leastBeside) : each;
    if (width !== null && margin > 0 && margin + needed > width) [line, margin] = [line + 1, below];
    const place = { line, margin };
    margin += each + gap;
    return place;
  });
}

function renderRow(cells: readonly string[], places: readonly Place[], width: number | null): readonly string[] {
  const lines: string[] = [];
  let [line, current] = [0, ""];
  for (const [at, cell] of cells.entries()) {
    const { line: wanted, margin } = places[at] ?? { line, margin: 0 };
    if (cell.trim() === "") continue;
    const isNew = wanted > line || (current !== "" && countColumns(current) + gap > margin);
    if (isNew) lines.push(current);
    const [first = "", ...more] = foldCell(cell, margin, width);
    current = padEnd(isNew ? "" : current, margin) + first;
    for (const row of more) {
      lines.push(current);
      current = " ".repeat(margin) + row;
    }
    line = wanted;
  }
  return [...lines, current].map((each) => each.trimEnd());
}

function foldCell(cell: string, margin: number, width: number | null): readonly string[] {
  return width === null ? [cell] : foldLine(cell, Math.max(fewest, width - margin));
}

function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - countColumns(text))) + text;
}

function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - countColumns(text)));
}
