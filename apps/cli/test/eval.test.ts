import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openInProcessWorld } from "./run-in-process.ts";

interface Line {
  readonly solved?: boolean;
  readonly status?: string;
  readonly cost?: number | null;
  readonly ms?: number;
  readonly tokens?: number;
}

function toLine(id: string, { solved, status = "completed", cost = 1, ms = 1000, tokens = 100 }: Line): string {
  const usage = { input_tokens: tokens, cached_input_tokens: tokens / 2, output_tokens: 10 };
  return JSON.stringify({
    id,
    status,
    cost,
    duration_ms: ms,
    usage,
    note: "mine",
    ...(solved !== undefined && { solved }),
  });
}

async function compare(a: readonly string[], b: readonly string[], ...flags: readonly string[]) {
  await using world = await openInProcessWorld();
  await writeFile(join(world.work, "a.jsonl"), a.join("\n"));
  await writeFile(join(world.work, "b.jsonl"), b.join("\n"));
  return await world.run(["eval", "compare", "a.jsonl", "b.jsonl", ...flags]);
}

const first = [
  toLine("one", { solved: true, cost: 2, ms: 4000, tokens: 400 }),
  toLine("two", { solved: false }),
  toLine("three", { solved: false, cost: null }),
  toLine("alone", { solved: true }),
];
const second = [
  toLine("two", { solved: true, cost: 0.5, ms: 3000 }),
  toLine("one", { solved: true, cost: 1, ms: 1000, tokens: 200 }),
  toLine("three", { solved: false }),
];

test("two runs are compared task by task, and a value that one run lacks leaves the pair out", async () => {
  const { exitCode, stdout } = await compare(first, second, "--json");
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    a: "a.jsonl",
    b: "b.jsonl",
    graded: true,
    tasks: 3,
    solved: { a: 1, b: 2 },
    only_a_solved: [],
    only_b_solved: ["two"],
    p: 1,
    measures: [
      { name: "cost", pairs: 2, a: 3, b: 1.5, ratio: 0.5, median_ratio: 0.5 },
      { name: "duration_ms", pairs: 3, a: 6000, b: 5000, ratio: 5 / 6, median_ratio: 1 },
      { name: "input_tokens", pairs: 3, a: 600, b: 400, ratio: 2 / 3, median_ratio: 1 },
      { name: "cached_input_tokens", pairs: 3, a: 300, b: 200, ratio: 2 / 3, median_ratio: 1 },
      { name: "output_tokens", pairs: 3, a: 30, b: 30, ratio: 1, median_ratio: 1 },
    ],
    missing: { a: [], b: ["alone"] },
  });
});

test("the table names both files, the tasks that one run alone solved and those that one run lacks", async () => {
  const { stdout } = await compare(first, second);
  expect(stdout).toMatchSnapshot();
});

/** Only A solves `onlyA` tasks, only B `onlyB`. */
function differ(onlyA: number, onlyB: number): readonly [readonly string[], readonly string[]] {
  const list = (isSolved: (index: number) => boolean): readonly string[] =>
    Array.from({ length: onlyA + onlyB }, (_, index) =>
      toLine(`t${index}`, { status: isSolved(index) ? "completed" : "failed" }),
    );
  return [list((index) => index < onlyA), list((index) => index >= onlyA)];
}

test.each([
  [1, 0, 1],
  [2, 1, 1],
  [1, 9, 22 / 1024],
  [590, 900, 9.452_755_086_813_6e-16],
])("%d tasks against %d: chance does that with p = %d", async (onlyA, onlyB, p) => {
  const { stdout } = await compare(...differ(onlyA, onlyB), "--json");
  const result = JSON.parse(stdout) as { p: number; graded: boolean };
  expect(result.p / p).toBeCloseTo(1, 6);
  expect(result.graded).toBe(false); // no line has solved
});

test.each([
  [[toLine("a", {})], ["{"], "b.jsonl, line 1 is not a JSON object"],
  [[toLine("a", {})], [toLine("a", { status: "done" })], "b.jsonl, line 1: status:"],
  [[toLine("a", {}), toLine("a", {})], [toLine("a", {})], 'a.jsonl, line 2: id: "a" is on an earlier line'],
  [[toLine("a", { solved: true }), toLine("b", {})], [toLine("a", {})], "a.jsonl, line 2: solved: missing"],
  [[toLine("a", { solved: true })], [toLine("a", {})], "Lines of a.jsonl have solved, and those of b.jsonl do not"],
  [[toLine("a", {})], [toLine("b", {})], "no task in common"],
  [[], [toLine("b", {})], "a.jsonl has no results"],
])("results that cannot be compared are an error: %#", async (a, b, message) => {
  expect(await compare(a, b)).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(message) });
});
