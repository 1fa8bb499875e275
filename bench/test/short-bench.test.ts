import { chmod, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { findPeers, readVersions } from "../src/peers.ts";
import { parseSeries, type SeriesRun, toSeriesLine } from "../src/series/parse-series.ts";
import { renderSeries } from "../src/series/render-series.ts";
import { feltRows, type FigureValues } from "../src/short/figures.ts";
import { renderShort } from "../src/short/render-short.ts";

const values: FigureValues = {
  "first frame": { unroll: 110, codex: 300 },
  "one message": { unroll: 100, codex: 400 },
  "100 calls": { unroll: 1_000, codex: 4_000 },
  "100 sandboxed calls": { unroll: 12_345, codex: { missing: "no sandbox" } },
  "memory of one message": { unroll: 61.26, codex: 146.2 },
};

test("the short bench prints eight rows, and says which program is not installed", () => {
  const lines = renderShort(values, { unroll: "", codex: "0.169" }).trim().split("\n");
  const [header = [], , ...rows] = lines.map((line) => line.split("|").map((cell) => cell.trim()));
  expect(header.slice(1, -1)).toEqual(["what", "unroll", "codex 0.169", "pi", "of codex", "of pi"]);
  expect(rows).toHaveLength(8);
  expect(rows.map(([, , , , pi]) => pi)).toEqual(rows.map(() => "not installed"));
  expect(rows.find(([, what]) => what === "one message")?.slice(2, 7)).toEqual([
    "100 ms",
    "400 ms",
    "not installed",
    "0.25x",
    "",
  ]);
  expect(rows.find(([, what]) => what?.startsWith("100 calls"))?.slice(2, 6)).toEqual([
    "1.00 s / 12.3 s",
    "4.00 s / no sandbox",
    "not installed",
    "0.25x / -",
  ]);
});

test("the other programs are those on PATH, or those that the command line names", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-bench-test-"));
  const own = join(folder.path, "own-pi");
  for (const file of [own, join(folder.path, "codex")]) {
    await writeFile(file, `#!/bin/sh\necho "some-cli 1.2.3"\n`);
    await chmod(file, 0o755);
  }
  const path = ["", "/proc/nowhere", folder.path].join(delimiter);
  expect(findPeers({ codex: null, pi: null }, path)).toEqual({ codex: join(folder.path, "codex") });
  const both = findPeers({ codex: null, pi: own }, path);
  expect(readVersions(both)).toEqual({ codex: "1.2.3", pi: "1.2.3" });
  expect(() => findPeers({ codex: "/proc/nowhere/codex", pi: null }, path)).toThrow("--codex");
});

test("a series is a line for each run, and its picture a panel for each figure with a point for each run", () => {
  const run = (date: string, ms: number): SeriesRun => ({
    date,
    commit: "0123456789abcdef",
    machine: "linux <x64>",
    values: { ...values, "one message": { unroll: ms, codex: 400 } },
  });
  const runs = [run("2026-11-23", 200), run("2026-11-24", 100)];
  const text = runs.map(toSeriesLine).join("");
  expect(text.split("\n")).toHaveLength(3);
  expect(parseSeries(text)).toEqual(runs);
  const picture = renderSeries(parseSeries(text));
  expect(picture).toContain("2 runs, 2026-11-23 to 2026-11-24, the last of 01234567: linux &lt;x64>");
  const panels = picture.split("<g ").slice(1);
  expect(panels).toHaveLength(feltRows.flatMap((row) => row.figures).length);
  const [ours = "", theirs = ""] = [
    ...(panels.find((panel) => panel.includes(">one message, ms<")) ?? "").matchAll(/points="([^"]+)"/g),
  ].map(([, points]) => points ?? "");
  const heights = ours.split(" ").map((point) => Number(point.split(",")[1]));
  expect(heights).toHaveLength(2);
  expect(heights[0]).toBeLessThan(heights[1] ?? 0); // 200 ms are higher than 100
  expect(new Set(theirs.split(" ").map((point) => point.split(",")[1])).size).toBe(1);
  expect(() => parseSeries(`${text}{"date":"2026`)).toThrow("Line 3");
});
