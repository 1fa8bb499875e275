import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createTestIo } from "@unroll/program/fixture/test-io";
import { expect, test } from "vitest";
import { createProgram } from "../src/program.ts";
import { wrapHelp } from "../src/wrap-help.ts";

const kept = readFileSync(join(import.meta.dirname, "../dist/bundle/help.txt"), "utf8");

/** As Commander writes it; null: where there is no terminal. */
function renderHelp(columns: number | null): string {
  const program = createProgram({ io: createTestIo({}), exit: () => {} });
  return program.configureHelp(columns === null ? {} : { helpWidth: columns }).helpInformation();
}

test("the help that the bundle keeps is what the program says of itself", () => {
  expect(kept).toBe(renderHelp(null));
});

test("at a terminal of any width it is wrapped as Commander wraps it", () => {
  for (const columns of [1, 40, 57, 80, 85, 86, 87, 100, 120, 170, 300]) {
    expect({ columns, help: wrapHelp(kept, columns) }).toEqual({ columns, help: renderHelp(columns) });
  }
});
