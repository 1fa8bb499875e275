import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createTestIo } from "@unroll/program/fixture/test-io";
import { expect, test } from "vitest";
import { createProgram } from "../src/program.ts";
import { wrapHelp } from "../src/wrap-help.ts";

const kept = readFileSync(join(import.meta.dirname, "../dist/bundle/help.txt"), "utf8");
const toWords = (text: string): readonly string[] => text.trim().split(/\s+/);

test("the help that the bundle keeps is what the program says of itself where no line is too long", () => {
  const program = createProgram({ io: createTestIo({}), exit: () => {} });
  expect(kept).toBe(program.configureHelp({ helpWidth: Number.MAX_SAFE_INTEGER }).helpInformation());
});

test("at a terminal of any width no word of it is lost or cut, and none but a long one stands out", () => {
  for (const columns of [20, 40, 57, 66, 80, 87, 120, 300]) {
    const help = wrapHelp(kept, columns);
    expect({ columns, words: toWords(help) }).toEqual({ columns, words: toWords(kept) });
    const tooLong = help.split("\n").filter((line) => line.length > columns && /\S\s+\S/.test(line.trim()));
    expect({ columns, tooLong: columns < 57 ? [] : tooLong }).toEqual({ columns, tooLong: [] });
  }
});

test("a description is beside its term, and below it if the term is too wide", () => {
  const text =
    "Usage: unroll\n\nOptions:\n  -m, --model <name>  the model that answers, by its name\n  -h, --help          this\n";
  expect(wrapHelp(text, 46)).toBe(
    "Usage: unroll\n\nOptions:\n  -m, --model <name>  the model that answers,\n                      by its name\n  -h, --help          this\n",
  );
  expect(wrapHelp(text, 40)).toBe(
    "Usage: unroll\n\nOptions:\n  -m, --model <name>\n      the model that answers, by its\n      name\n  -h, --help\n      this\n",
  );
});

test("a long flag has a row to itself if the help is wrapped, and does not narrow the descriptions", () => {
  const text =
    "Options:\n  -q, --quiet                      only errors on stderr\n  --a-flag-with-a-very-long-name   the same\n";
  expect(wrapHelp(text, 40)).toBe(
    "Options:\n  -q, --quiet  only errors on stderr\n  --a-flag-with-a-very-long-name\n               the same\n",
  );
  expect(wrapHelp(text, 80)).toBe(text);
});
