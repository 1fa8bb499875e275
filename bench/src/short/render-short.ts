import {
  feltRows,
  type FeltRow,
  type FigureValue,
  type FigureValues,
  type ProgramName,
  programNames,
} from "./figures.ts";

/** The programs that were measured, with their versions; one that is not here is not installed. */
export type Versions = Readonly<Partial<Record<ProgramName, string>>>;

/** The eight rows as a Markdown table: each program's column, then how much of the others' values ours are. */
export function renderShort(values: FigureValues, versions: Versions): string {
  const peers = programNames.slice(1);
  const header = [
    "what",
    ...programNames.map((name) => (versions[name] === undefined ? name : `${name} ${versions[name]}`)),
    ...peers.map((name) => `of ${name}`),
  ];
  const rows = feltRows.map((row) => [
    row.what,
    ...programNames.map((name) => renderCell(row, values, name)),
    ...peers.map((name) => renderShare(row, values, name)),
  ]);
  const cells = [header, ...rows];
  const widths = header.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const toLine = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return `${[toLine(header), toLine(widths.map((width) => "-".repeat(width))), ...rows.map(toLine)].join("\n")}\n`;
}

function renderCell({ figures }: FeltRow, values: FigureValues, program: ProgramName): string {
  const missing = { missing: "not installed" };
  const given = figures.map(({ name, unit }) => ({ value: values[name]?.[program] ?? missing, unit }));
  const said = given.map(({ value, unit }) => (typeof value === "number" ? formatValue(value, unit) : value.missing));
  return [...new Set(said)].join(" / ");
}

function renderShare({ figures }: FeltRow, values: FigureValues, peer: ProgramName): string {
  const shares = figures.map(({ name }) => toShare(values[name]?.unroll, values[name]?.[peer]));
  return shares.every((share) => share === null) ? "" : shares.map((share) => share ?? "-").join(" / ");
}

function toShare(ours: FigureValue | undefined, theirs: FigureValue | undefined): string | null {
  return typeof ours === "number" && typeof theirs === "number" ? `${(ours / theirs).toFixed(2)}x` : null;
}

function formatValue(value: number, unit: string): string {
  if (unit === "ms" && value >= 1000) return `${(value / 1000).toFixed(value >= 10_000 ? 1 : 2)} s`;
  return `${value.toFixed(value >= 100 ? 0 : 1)} ${unit}`;
}
