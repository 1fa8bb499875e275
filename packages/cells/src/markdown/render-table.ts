import { measureRow, type Row, type Span, type StyledLine, wrapLine } from "@unroll/screen";
import { emptyLine, toSpan } from "../line/plain-line.ts";
import type { TableBlock, TableCell } from "./markdown-tree.ts";
import { renderInlines } from "./render-inline.ts";

/** Narrower columns read badly: then each row is a list of its cells. */
const minColumn = 8;
const between = " │ ";

/** A table in `columns` cells: as wide as it needs, narrower with wrapped cells, or row by row below each other. */
export function renderTable(table: TableBlock, columns: number): readonly StyledLine[] {
  const header = table.header.map((cell) => renderCell(cell, "strong"));
  const rows = table.rows.map((row) => row.map((cell) => renderCell(cell, null)));
  const natural = header.map((_, at) =>
    Math.max(1, ...[header, ...rows].map((row) => Math.max(0, ...(row[at] ?? []).map(measureRow)))),
  );
  const widths = fitWidths(natural, columns - between.length * (natural.length - 1));
  if (widths === null) return renderRecords(table);
  const aligns = table.header.map(({ align }) => align);
  return [
    ...layRow(header, { widths, aligns }),
    { spans: [toSpan(widths.map((width) => "─".repeat(width)).join("─┼─"), ["muted"])], wrap: "verbatim" },
    ...rows.flatMap((row) => layRow(row, { widths, aligns })),
  ];
}

type CellLines = readonly Row[];

function renderCell({ content }: TableCell, role: "strong" | null): CellLines {
  return renderInlines(content, role === null ? [] : [role]);
}

/** The widest columns give way, one cell at a time, down to `minColumn`; null: that is not enough. */
function fitWidths(natural: readonly number[], room: number): readonly number[] | null {
  const least = natural.map((width) => Math.min(width, minColumn));
  if (sum(least) > room) return null;
  // the largest limit under which all columns fit
  let [low, high] = [minColumn, Math.max(minColumn, ...natural)];
  while (low < high) {
    const limit = Math.ceil((low + high) / 2);
    if (sum(natural.map((width) => Math.min(width, limit))) <= room) low = limit;
    else high = limit - 1;
  }
  return natural.map((width) => Math.min(width, low));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

interface Layout {
  readonly widths: readonly number[];
  readonly aligns: readonly TableCell["align"][];
}

function layRow(cells: readonly CellLines[], { widths, aligns }: Layout): readonly StyledLine[] {
  const wrapped = widths.map((width, at) =>
    (cells[at] ?? []).flatMap((spans) => wrapLine({ spans, wrap: "words" }, width)),
  );
  const height = Math.max(1, ...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line): StyledLine => {
    const spans = widths.flatMap((width, at): readonly Span[] => {
      const isLast = at === widths.length - 1;
      const padded = pad(wrapped[at]?.[line] ?? [], { width, align: aligns[at] ?? "left", isLast });
      return at === 0 ? padded : [toSpan(between, ["muted"]), ...padded];
    });
    return { spans, wrap: "verbatim" };
  });
}

interface Place {
  readonly width: number;
  readonly align: TableCell["align"];
  readonly isLast: boolean;
}

function pad(row: Row, { width, align, isLast }: Place): Row {
  const room = Math.max(0, width - measureRow(row));
  const before = align === "right" ? room : align === "center" ? Math.floor(room / 2) : 0;
  const behind = isLast ? 0 : room - before;
  return [
    ...(before === 0 ? [] : [{ text: " ".repeat(before) }]),
    ...row,
    ...(behind === 0 ? [] : [{ text: " ".repeat(behind) }]),
  ];
}

function renderRecords({ header, rows }: TableBlock): readonly StyledLine[] {
  return rows.flatMap((row, at) => {
    const lines = row.map((cell, column): StyledLine => {
      const name = flat(renderInlines(header[column]?.content ?? [], ["strong"]));
      const value = flat(renderInlines(cell.content));
      return {
        spans: [...name, ...(name.length === 0 ? [] : [toSpan(": ")]), ...value],
        wrap: "words",
        hanging: [{ text: "  " }],
      };
    });
    return at === 0 ? lines : [emptyLine, ...lines];
  });
}

function flat(lines: CellLines): Row {
  return lines.flatMap((line, at) => (at === 0 ? line : [{ text: " " }, ...line]));
}
