import { spawn } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { type MeasuredRow, parseMeasured } from "../../bench/src/plot/parse-measured.ts";
import { startDemoModel } from "../../packages/scripted-model/src/index.ts";
import { openRepository } from "../structure/repository.ts";

const root = join(import.meta.dirname, "../..");
const repository = openRepository(root);
const readme = repository.read("README.md");
const [introduction = ""] = readme.split("## Contributing");
const { rows } = parseMeasured(repository.read("bench/README.md"));

test("README has at most 700 words before Contributing, signs of tables among them", () => {
  expect(introduction.split(/\s+/).filter((word) => word !== "").length).toBeLessThanOrEqual(700);
});

/** The rows of bench/README.md behind each row of the README: of unroll, codex and pi. */
const works: Readonly<Record<string, readonly (string | null)[]>> = {
  "one message": ["unroll exec, one message: wall", "codex exec, one message: wall", "pi, one message: wall"],
  "one message: peak memory": [
    "unroll exec, one message: peak memory",
    "codex exec, one message: peak memory",
    "pi, one message: peak memory",
  ],
  "100 calls: CPU": ["unroll, 100 calls: CPU", "codex, 100 calls: CPU", "pi, 100 calls: CPU (it has no sandbox)"],
  "100 sandboxed calls: CPU": ["unroll, 100 sandboxed calls: CPU", "codex, 100 sandboxed calls: CPU", null],
  "one command in the sandbox": ["runner, sandbox, git repository", "codex sandbox", null],
  "resume, among 10,000 threads": ["exec resume --last, 10,000 threads", null, null],
};

test("the README's table of speed has six rows, each with the values of bench/README.md", () => {
  const lines = introduction.split("| work |")[1]?.split("\n").slice(2) ?? [];
  const shown = lines.filter((line) => line.startsWith("| ")).map((line) => line.split("|").map((cell) => cell.trim()));
  const measured = Object.entries(works).map(([work, labels]) => [work, ...labels.map(toValue)]);
  const isNumber = (cell: string): boolean => /\d/.test(cell);
  expect(
    shown.map(([, work, ...cells]) => [work, ...cells.slice(0, 3).map((cell) => (isNumber(cell) ? cell : ""))]),
  ).toEqual(measured);
});

test("the README's sentences about codex and pi agree with the measurements", () => {
  const share = (own: string, other: string): number => find(own).value / find(other).value;
  expect(introduction).toContain("70% of its CPU time and half its memory for a message");
  expect(share("unroll exec, one message: CPU", "codex exec, one message: CPU")).toBeCloseTo(0.7, 1);
  expect(share("unroll exec, one message: peak memory", "codex exec, one message: peak memory")).toBeCloseTo(1 / 2, 1);
  expect(introduction).toContain("less than half its time for a message");
  expect(share("unroll exec, one message: wall", "pi, one message: wall")).toBeLessThan(0.5);
});

test("what the README says of the SDKs in its comparison agrees with their table in bench/README.md", () => {
  const [, table = ""] = /^(\| \| `@unroll\/harness`[\s\S]*?)\n\n/m.exec(repository.read("bench/README.md")) ?? [];
  const [names = [], ...measures] = table.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  const read = (measure: string, sdk: string): number => {
    const column = names.findIndex((name) => name.startsWith(`\`${sdk}\``));
    return Number(measures.find(([, name]) => name === measure)?.[column]);
  };
  const claude = "@anthropic-ai/claude-agent-sdk";
  const sizes = ["@unroll/harness", claude].map((sdk) => Math.round(read("MB installed", sdk)));
  expect(introduction).toContain(`a library of ${sizes[0]} MB, not ${sizes[1]}`);
  expect(introduction).toContain("fewer packages");
  expect(read("packages installed", "ai")).toBeLessThan(read("packages installed", "@unroll/harness"));
});

test("the README's example of the library runs as it is written, with the user's own config and key", async () => {
  const [, code = ""] = /^```js\n([\s\S]*?)^```$/m.exec(introduction) ?? [];
  await using home = await mkdtempDisposable(join(tmpdir(), "unroll-readme-"));
  await using model = await startDemoModel();
  const env = {
    PATH: process.env["PATH"],
    HOME: home.path,
    CODEX_HOME: home.path,
    OPENAI_API_KEY: "any",
    OPENAI_BASE_URL: model.url,
  };
  // where its package can be imported from
  const cwd = join(root, "packages/harness");
  const args = ["--conditions=@unroll/source", "--input-type=module", "--eval", code];
  const child = spawn(process.execPath, args, { env, cwd, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect({ stderr, requests: model.requests.length }).toEqual({ stderr: "", requests: 1 });
  expect(stdout).toContain("demo model");
});

test("the README's pictures play where scripts, foreign files and fonts are refused", () => {
  const pictures = [...introduction.matchAll(/!\[[^\]]+\]\(([^)]+\.svg)\)/g)].map(([, file = ""]) => file);
  expect(pictures).toEqual(["docs/screens/demo.svg", "docs/bench/prefix-law.svg"]);
  for (const picture of pictures) {
    const svg = repository.read(picture);
    expect(svg).not.toMatch(/<script|<foreignObject|<image|\son\w+=|@font-face|@import|url\(|href="(?!#)/);
    expect(svg.length).toBeLessThan(100_000);
  }
});

function toValue(label: string | null): string {
  if (label === null) return "";
  const { value, unit } = find(label);
  return `${value.toLocaleString("en-US")} ${unit}`;
}

function find(label: string): MeasuredRow {
  const row = rows.find((each) => each.label === label);
  if (row === undefined) throw new Error(`bench/README.md has no row ${label}`);
  return row;
}
