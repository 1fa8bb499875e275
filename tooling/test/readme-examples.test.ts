import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { mkdir, mkdtempDisposable, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import { whyNoSandbox } from "../../packages/sandbox/test/fixture/sandbox.ts";
import { listReadmeExamples } from "../release/readme-examples.ts";
import type { RanExample } from "./run-examples.ts";

const root = join(import.meta.dirname, "../..");
const examples = listReadmeExamples(root);

let run: {
  readonly exitCode: number | null;
  readonly stderr: string;
  readonly results: readonly RanExample[];
  /** Names of what they left in the temporary folder. */
  readonly left: readonly string[];
};

beforeAll(async () => {
  const program = join(import.meta.dirname, "run-examples.ts");
  // A home of their own: nothing is saved in this user's.
  await using home = await mkdtempDisposable(join(tmpdir(), "unroll-readme-"));
  const temporary = join(home.path, "tmp");
  await mkdir(temporary);
  const env = { ...process.env, HOME: home.path, CODEX_HOME: join(home.path, ".codex"), TMPDIR: temporary };
  const child = spawn(process.execPath, ["--conditions=@unroll/source", program], { env, timeout: 250_000 });
  child.stdin.end(JSON.stringify(examples));
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const lines = stdout.split("\n").filter((line) => line.startsWith('{"name":'));
  const results = lines.map((line) => JSON.parse(line) as RanExample);
  run = { exitCode: await closed, stderr, results, left: await readdir(temporary) };
});

test("every package has an example in its README", () => {
  const packages = globSync("packages/*/package.json", { cwd: root });
  expect(new Set(examples.map((example) => example.folder)).size).toBe(packages.length);
});

/** Where no sandbox starts, the example of `sandbox` prints why. */
const printsElse = (name: string): boolean => whyNoSandbox !== null && name.startsWith("packages/sandbox/");

test.for(examples)("$name runs as written, and prints what the README says", ({ name, output }) => {
  const ran = run.results.find((result) => result.name === name);
  const expected = output === null || printsElse(name) ? ran?.output : output;
  expect({ ...ran, stderr: run.stderr }).toEqual({ name, fault: null, output: expected, stderr: run.stderr });
});

test("a text block belongs to the example right above it", () => {
  expect(examples.find(({ name }) => name === "packages/sandbox/README.md, example 1")?.output).toContain("hello\n");
});

test("the examples leave no file and nothing open, so their process ends by itself", () => {
  expect(run).toMatchObject({ exitCode: 0, stderr: "", left: [] });
});
