import { countColumns } from "@unroll/text";
import fc from "fast-check";
import { expect, test } from "vitest";
import { renderTable, type TableColumn } from "@unroll/report";

const at = (index: number, more: Partial<TableColumn<readonly string[]>> = {}): TableColumn<readonly string[]> => ({
  value: (row) => row[index] ?? "",
  ...more,
});

test("the fullest layout that fits is used, and the last column is folded beside the others", () => {
  const rows = [
    ["a", "1", "the first of all words"],
    ["long", "1000", ""],
  ];
  const full = [at(0, { title: "name" }), at(1, { title: "count", align: "right" }), at(2, { title: "why" })];
  const layouts = [full, [full[0] ?? at(0), full[2] ?? at(2)]];
  expect(renderTable(rows, { layouts, width: null })).toEqual({
    lines: ["name  count  why", "a         1  the first of all words", "long   1000"],
    isFull: true,
  });
  expect(renderTable(rows, { layouts, width: 34 })).toEqual({
    lines: ["name  why", "a     the first of all words", "long"],
    isFull: false,
  });
  expect(renderTable(rows, { layouts: layouts.slice(1), width: 22 }).lines).toEqual([
    "name",
    "    why",
    "a",
    "    the first of all",
    "    words",
    "long",
  ]);
});

test("a cell that is too long for its column pushes the others of its row below, and only those", () => {
  const rows = [
    ["short", "x", "y"],
    ["a-name-that-is-far-too-long", "x", "y"],
  ];
  expect(renderTable(rows, { layouts: [[at(0), at(1), at(2)]], width: 40 }).lines).toEqual([
    "short             x  y",
    "a-name-that-is-far-too-long",
    "                  x  y",
  ]);
});

test("hidden characters are escaped, and a row of several lines becomes one", () => {
  const rows = [["a\u202eb", "one\n  two"]];
  expect(renderTable(rows, { layouts: [[at(0), at(1)]], width: null }).lines).toEqual(["a\\u{202e}b  one two"]);
});

test("no line is wider than the terminal, and no word is lost, whatever the cells hold", () => {
  const cell = fc.array(fc.constantFrom("a", "word", "漢字", "x".repeat(30), "/a/long/path/to/a/file.ts"));
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell, cell)), fc.integer({ min: 20, max: 120 }), (table, width) => {
      const rows = table.map((row) => row.map((words) => words.join(" ")));
      const { lines } = renderTable(rows, {
        layouts: [[at(0), at(1, { align: "right", least: 8 }), at(2), at(3)]],
        width,
      });
      expect(lines.filter((line) => countColumns(line) > width)).toEqual([]);
      const join = (texts: readonly string[]): string => texts.join("").replaceAll(" ", "");
      expect(join(lines)).toBe(join(rows.flat()));
    }),
  );
});
