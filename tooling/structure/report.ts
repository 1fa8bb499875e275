import { posix } from "node:path";
import { Visitor } from "oxc-parser";
import { countCode } from "./check-budgets.ts";
import type { SourceFile } from "./parse-source.ts";
import { listEntries } from "./public-names.ts";
import type { Repository } from "./repository.ts";

interface Row {
  readonly unit: string;
  readonly lines: number;
  readonly files: number;
  readonly folders: number;
  /** Functions that their file does not export. */
  readonly private: number;
  /** Private functions that are used in one place besides their declaration. */
  readonly calledOnce: number;
  /** Files of at most `smallLines` code lines that one other file imports. */
  readonly smallFiles: number;
  readonly publicNames: number;
}

const smallLines = 30;

/** A table to look at, a line for each package: how much there is, and in how many pieces. It judges nothing. */
export function renderReport(repository: Repository): string {
  const units = repository.list("{packages,apps}/*/package.json").map((file) => posix.dirname(file));
  const files = repository.list("{packages,apps}/*/src/**/*.ts").map((file) => repository.source(file));
  const importers = countImporters(files);
  const names = new Map(
    listEntries(repository).map(({ name, unit, names: all }) => [name, { unit, count: all.length }]),
  );
  const rows = units.map((unit): Row => {
    const own = files.filter(({ file }) => file.startsWith(`${unit}/src/`));
    const functions = own.flatMap(listPrivateFunctions);
    return {
      unit,
      lines: sum(own.map(({ text }) => countCode(text))),
      files: own.length,
      folders: new Set(own.map(({ file }) => posix.dirname(file))).size,
      private: functions.length,
      calledOnce: functions.filter(({ uses }) => uses === 1).length,
      smallFiles: own.filter(({ file, text }) => importers.get(file) === 1 && countCode(text) <= smallLines).length,
      publicNames: sum([...names.values()].filter((each) => each.unit === unit).map(({ count }) => count)),
    };
  });
  return renderTable([...rows, total(rows)]);
}

function countImporters(files: readonly SourceFile[]): ReadonlyMap<string, number> {
  const importers = new Map<string, number>();
  for (const { imports } of files) {
    for (const to of new Set(imports.map((each) => each.to))) importers.set(to, (importers.get(to) ?? 0) + 1);
  }
  return importers;
}

/** Function declarations at the top of a file, with how often their names stand elsewhere in it. */
function listPrivateFunctions(source: SourceFile): readonly { readonly name: string; readonly uses: number }[] {
  const exported = new Set(source.exports.map(({ name }) => name));
  const names = source.program.body.flatMap((statement) =>
    statement.type === "FunctionDeclaration" && statement.id !== null ? [statement.id.name] : [],
  );
  const counts = new Map<string, number>();
  new Visitor({ Identifier: ({ name }) => void counts.set(name, (counts.get(name) ?? 0) + 1) }).visit(source.program);
  return names.filter((name) => !exported.has(name)).map((name) => ({ name, uses: (counts.get(name) ?? 1) - 1 })); // the declaration is one of them
}

function total(rows: readonly Row[]): Row {
  const of = (member: Exclude<keyof Row, "unit">): number => sum(rows.map((row) => row[member]));
  return {
    unit: "all",
    lines: of("lines"),
    files: of("files"),
    folders: of("folders"),
    private: of("private"),
    calledOnce: of("calledOnce"),
    smallFiles: of("smallFiles"),
    publicNames: of("publicNames"),
  };
}

function renderTable(rows: readonly Row[]): string {
  const head = [
    "",
    "code lines",
    "files",
    "folders",
    "private functions",
    "called once",
    "small files",
    "public names",
  ];
  const cells = rows.map((row) => [
    row.unit,
    ...[row.lines, row.files, row.folders, row.private].map(String),
    `${row.calledOnce} (${row.private === 0 ? 0 : Math.round((100 * row.calledOnce) / row.private)} %)`,
    ...[row.smallFiles, row.publicNames].map(String),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...cells].map((row) => (row[column] ?? "").length)));
  const lines = [head, ...cells].map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
  const note = `small files: at most ${smallLines} code lines, imported by one other file`;
  return `${lines.join("\n")}\n${note}\n`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
