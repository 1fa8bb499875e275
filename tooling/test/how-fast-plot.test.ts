import { join } from "node:path";
import { expect, test } from "vitest";
import { parseMeasured } from "../../bench/src/plot/parse-measured.ts";
import { renderPlot } from "../../bench/src/plot/render-plot.ts";
import { openRepository } from "../structure/repository.ts";

const repository = openRepository(join(import.meta.dirname, "../.."));
const measured = parseMeasured(repository.read("bench/README.md"));

test("the plot shows what the table of bench/README.md says (npm run bench -- plot writes it)", () => {
  expect(repository.read("docs/bench/how-fast.svg")).toBe(renderPlot(measured));
});

test("a row is called missed where more than its bound was used, and only there", () => {
  const wrong = measured.rows.filter(({ bound }) => bound !== null && bound.isMissed !== bound.share > 1);
  // 109.6 of 110 and the like: the table has three digits
  expect(wrong.filter(({ bound }) => Math.abs((bound?.share ?? 0) - 1) > 0.005)).toEqual([]);
});
