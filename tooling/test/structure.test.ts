import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { checks } from "../structure/checks.ts";
import { renderReport } from "../structure/report.ts";
import { plantRepository } from "./plant-repository.ts";

/** The manifest of a package with these entries: `{ ".": "index" }` is `src/index.ts`. */
function withEntries(entries: Readonly<Record<string, string>>): string {
  const exports = Object.entries(entries).map(([path, file]) => [path, { "@unroll/source": `./src/${file}.ts` }]);
  return JSON.stringify({ exports: Object.fromEntries(exports) });
}

/** The problems that one check finds in these files. */
function problemsOf(check: string, files: Readonly<Record<string, string>>): readonly string[] {
  using repository = plantRepository(files);
  return checks[check]?.(repository) ?? [`there is no check ${check}`];
}

test("two files that import each other's types are a circle, with a place for each arrow", () => {
  const found = problemsOf("circles", {
    "packages/a/src/left.ts": 'import type { Right } from "./right.ts";\nexport type Left = Right;\n',
    "packages/a/src/right.ts": '\nexport type Right = import("./left.ts").Left;\n',
  });
  expect(found).toEqual([
    "packages/a/src: a circle of imports, types included: turn or move one of these\n" +
      "    left.ts -> right.ts  (packages/a/src/left.ts:1)\n" +
      "    right.ts -> left.ts  (packages/a/src/right.ts:2)",
  ]);
});

test("folders in a circle are found at any depth, also where no file is in one, over re-exports and import()", () => {
  const found = problemsOf("circles", {
    "apps/a/src/deep/one/x.ts": 'export { y } from "../two/y.ts";\n',
    "apps/a/src/deep/two/y.ts": "export const y = 1;\n",
    "apps/a/src/deep/two/z.ts": 'export const z = () => import("../three.ts");\n',
    "apps/a/src/deep/three.ts": 'import { w } from "./one/w.ts";\nexport const three = w;\n',
    "apps/a/src/deep/one/w.ts": "export const w = 1;\n",
  });
  expect(found).toEqual([
    "apps/a/src/deep: a circle of imports, types included: turn or move one of these\n" +
      "    one/ -> two/  (apps/a/src/deep/one/x.ts:1)\n" +
      "    two/ -> three.ts  (apps/a/src/deep/two/z.ts:1)\n" +
      "    three.ts -> one/  (apps/a/src/deep/three.ts:1)",
  ]);
});

test("imports in one direction are not a circle", () => {
  const found = problemsOf("circles", {
    "packages/a/src/index.ts": 'export { b } from "./b/b.ts";\nexport { c } from "./c.ts";\n',
    "packages/a/src/b/b.ts":
      'import { c } from "../c.ts";\nimport { join } from "node:path";\nexport const b = join(c);\n',
    "packages/a/src/c.ts": 'export const c = "";\n',
  });
  expect(found).toEqual([]);
});

test("a folder that holds one file or one folder is named, at any depth; a package's own are not", () => {
  const found = problemsOf("folders", {
    "packages/a/src/index.ts": "",
    "packages/b/src/index.ts": "",
    "packages/b/src/one/only.ts": "",
    "packages/b/src/two/first.ts": "",
    "packages/b/src/two/three/second.ts": "",
    "packages/b/src/two/three/third.ts": "",
    "simulation/src/outer/inner/a.ts": "",
    "simulation/src/outer/inner/b.ts": "",
  });
  expect(found).toEqual([
    "packages/b/src/one: holds packages/b/src/one/only.ts and nothing else: move that to packages/b/src, until a second one comes",
    "simulation/src/outer: holds simulation/src/outer/inner and nothing else: move that to simulation/src, until a second one comes",
  ]);
});

test("an upper-case constant is named, a local one too, and an excused one is not", () => {
  const found = problemsOf("constants", {
    "packages/a/src/a.ts":
      "export const MAX_BYTES = 1;\nconst LIMIT = 2, small = 3;\nfunction f() { const LOCAL = 1; }\n",
    "packages/a/test/b.test.ts": "const CASES = [];\n",
    "packages/a/src/c.ts": "// structure-ignore constants: the wire's own name\nconst ABC = 1;\n",
    "packages/a/src/d.ts": "// structure-ignore constants:\nconst NO_REASON = 1;\n",
    "examples/a/main.ts": "const NAME = 1;\n",
    "simulation/src/a.ts": "const SEED = 1;\n",
  });
  expect(found).toEqual([
    "examples/a/main.ts:1: the constant NAME is written in camelCase",
    "packages/a/src/a.ts:1: the constant MAX_BYTES is written in camelCase",
    "packages/a/src/a.ts:2: the constant LIMIT is written in camelCase",
    "packages/a/src/a.ts:3: the constant LOCAL is written in camelCase",
    "packages/a/src/d.ts:2: the constant NO_REASON is written in camelCase",
    "packages/a/test/b.test.ts:1: the constant CASES is written in camelCase",
    "simulation/src/a.ts:1: the constant SEED is written in camelCase",
  ]);
});

test("undefined in what is returned or held is named, an optional member and a parameter are not", () => {
  const returned = "a return type includes undefined: return null";
  const found = problemsOf("absence", {
    "packages/a/src/a.ts": [
      "export function one(): string | undefined {}",
      "export const two = async (): Promise<string | undefined> => undefined;",
      "export interface Port { three(): (string | undefined); four: () => number | undefined; five: string | undefined }",
      "export class Six { six(): undefined | string {} }",
      "export interface Fine { a?: string | undefined; b(x: string | undefined): string | null; c(): Promise<undefined> }",
      "// structure-ignore absence: the SDK asks for it",
      "export function seven(): string | undefined {}",
      "export class Eight { #eight: string | undefined; fine?: string | undefined }",
      "export type Nine = string | undefined;",
    ].join("\n"),
  });
  expect(found).toEqual([
    `packages/a/src/a.ts:1: ${returned}`,
    `packages/a/src/a.ts:2: ${returned}`,
    `packages/a/src/a.ts:3: ${returned}`,
    `packages/a/src/a.ts:3: ${returned}`,
    "packages/a/src/a.ts:3: a member may be undefined: let it hold null",
    `packages/a/src/a.ts:4: ${returned}`,
    "packages/a/src/a.ts:8: a field may be undefined: let it hold null",
    "packages/a/src/a.ts:9: a type includes undefined: let it be null",
  ]);
});

test("a pattern over a text for the model is named, but not where threads of other versions are read", () => {
  const pattern = "export const isLate = (text: string): boolean => /^The command was late/.test(text);\n";
  const found = problemsOf("own-sentences", {
    "packages/tools/src/a.ts": "export const late = (ms: number): string => `The command was late by ${ms} ms.`;\n",
    "packages/view/src/b.ts": pattern,
    "packages/view/src/c.ts":
      'export const isLate = (text: string): boolean => text.startsWith("The command was late");\n',
    "packages/view/src/d.ts": 'export const isOther = (text: string): boolean => text.startsWith("The answer");\n',
    "packages/rollout/src/foreign/e.ts": pattern,
  });
  expect(found.map((problem) => problem.split(": ", 1)[0])).toEqual([
    "packages/view/src/b.ts:1",
    "packages/view/src/c.ts:1",
  ]);
});

test("a port that declares a verb of the clock itself is named; one that picks it from the Clock is not", () => {
  const found = problemsOf("clock", {
    "packages/flow/src/clock.ts": "export interface Clock { now(): number }",
    "packages/a/src/a.ts": "export interface Port { now(): number }\nexport type Other = { elapsed: () => number };\n",
    "packages/a/src/b.ts": 'export interface Port { clock: Pick<Clock, "now">; now: number }\n',
    "packages/a/src/c.ts": 'export function f(now: () => number, sleep: Clock["sleep"], elapsed: number) {}\n',
  });
  expect(found).toEqual([
    'packages/a/src/a.ts:1: declares now() anew: take it by Pick<Clock, "now"> from @unroll/flow',
    'packages/a/src/a.ts:2: declares elapsed() anew: take it by Pick<Clock, "elapsed"> from @unroll/flow',
    'packages/a/src/c.ts:1: declares now() anew: take it by Pick<Clock, "now"> from @unroll/flow',
  ]);
});

test("a name made of session is reported unless it is a command that was left running; a string is not", () => {
  const found = problemsOf("words", {
    "packages/mcp/src/a.ts":
      "export interface Session { readonly link: string }\nconst open = (sessionId: string) => sessionId;\n",
    "packages/core/src/b.ts":
      'const name = "session_id";\n// structure-ignore words: the wire\'s own\nconst session = 1;\n',
    "packages/tools/src/c.ts": "export interface CommandSession { readonly id: number }\n",
    "apps/acp/src/d.ts": "export function openSession(): void {}\n",
  });
  const why =
    "a session is a command that was left running; a conversation is a thread, a link to a server a connection";
  expect(found).toEqual([`packages/mcp/src/a.ts:1: Session: ${why}`, `packages/mcp/src/a.ts:2: sessionId: ${why}`]);
});

test("a public name with a word that the glossary replaced is named; a longer word that contains it is not", () => {
  const found = problemsOf("glossary", {
    "docs/glossary.md": "| thread | one exchange | `rule book`, `talk` |\n",
    "packages/a/package.json": withEntries({ ".": "index" }),
    "packages/a/src/index.ts": "export const openRuleBook = 1;\nexport const talkative = 2;\n",
  });
  expect(found).toEqual([
    'packages/a/src/index.ts: public name openRuleBook says "rule book": docs/glossary.md has "thread" for that',
  ]);
});

test("a name that two packages export is named; one that is passed on is not", () => {
  const found = problemsOf("name-owners", {
    "packages/a/package.json": withEntries({ ".": "index", "./more": "more" }),
    "packages/a/src/index.ts": 'export type { Clock, Item } from "./a.ts";\n',
    "packages/a/src/more.ts": 'export type { Item } from "./a.ts";\nexport function open(): void {}\n',
    "apps/b/package.json": withEntries({ ".": "index", "./text": "text-exports" }),
    "apps/b/src/index.ts": 'export { type Clock } from "./b.ts";\nexport type { Item } from "@unroll/a";\n',
    "apps/b/src/text-exports.ts": 'export { open } from "./b.ts";\n',
  });
  expect(found.toSorted()).toEqual([
    "Clock is exported by apps/b/src/index.ts and packages/a/src/index.ts: one name, one thing: rename one of them",
    "open is exported by apps/b/src/text-exports.ts and packages/a/src/more.ts: one name, one thing: rename one of them",
  ]);
});

test("a public name that is new or gone is named until it is pinned, of every entry that package.json opens", () => {
  const found = problemsOf("public-names", {
    "packages/a/package.json": withEntries({ ".": "index", "./define": "tool/define-tool" }),
    "packages/a/src/index.ts": 'export { fresh } from "./a.ts";\n',
    "packages/a/src/tool/define-tool.ts": "export interface Tool {}\nexport function define(): void {}\n",
    "packages/a/src/openai.ts": "export const inside = 1;\n",
    "tooling/public-names.json": '{ "a": ["old"], "a/define": ["Tool"], "a/node": ["nodeHost"] }',
  });
  const hint = "if that is meant, run node tooling/check-structure.mjs --write-names";
  expect(found).toEqual([
    `packages/a/src/index.ts: public name fresh is new: ${hint}`,
    `packages/a/src/index.ts: public name old is gone: ${hint}`,
    `packages/a/src/tool/define-tool.ts: public name define is new: ${hint}`,
    `tooling/public-names.json: a/node: public name nodeHost is gone: ${hint}`,
  ]);
});

test("an entry that passes on whole files has all their names", () => {
  const found = problemsOf("public-names", {
    "packages/a/package.json": withEntries({ ".": "index" }),
    "packages/a/src/index.ts": 'export { make } from "./shape.ts";\nexport type * from "./shape.ts";\n',
    "packages/a/src/shape.ts": "export interface Shape {}\nexport function make(): void {}\n",
    "tooling/public-names.json": '{ "a": ["make"] }',
  });
  const hint = "if that is meant, run node tooling/check-structure.mjs --write-names";
  expect(found).toEqual([`packages/a/src/index.ts: public name Shape is new: ${hint}`]);
});

test("a dependency that the table of layers does not allow is named, and so is a package that is not in it", () => {
  const found = problemsOf("layers", {
    "packages/a/package.json": '{ "dependencies": { "@unroll/b": "workspace:*", "zod": "4" } }',
    "packages/b/package.json": '{ "dependencies": { "@unroll/a": "workspace:*" } }',
    "packages/c/package.json": "{}",
    "tooling/layers.json": '{ "packages/a": ["b"], "packages/b": [] }',
  });
  expect(found).toEqual([
    "packages/b/package.json: may not depend on @unroll/a: the layers of docs/architecture.md do not allow it",
    "packages/c: not in tooling/layers.json: give it a layer in docs/architecture.md first",
  ]);
});

test("an allowance that nobody uses is named, and so is a line of the page's table that says something else", () => {
  const found = problemsOf("layers", {
    "packages/a/package.json": '{ "dependencies": { "@unroll/b": "workspace:*" } }',
    "packages/b/package.json": "{}",
    "apps/c/package.json": '{ "dependencies": { "@unroll/a": "workspace:*" } }',
    "tooling/layers.json":
      '{ "packages/a": ["text", "b", "d"], "packages/b": [], "apps/c": ["a"], "packages/gone": ["text"] }',
    "docs/architecture.md": [
      "| package | it owns | may import (workspace) |",
      "|---|---|---|",
      "| `a` | the first | b (its port), `d`; c only as a port |",
      "| `b` | the second | a |",
      "| `apps/c` | a program | a |",
      "| `apps/e` | another | - |",
    ].join("\n"),
  });
  expect(found).toEqual([
    "tooling/layers.json: packages/a may import d and does not: take that out, here and in docs/architecture.md",
    "tooling/layers.json: there is no packages/gone",
    "docs/architecture.md: its table lets packages/b import [a], tooling/layers.json []",
    "docs/architecture.md: its table lacks packages/gone",
    "docs/architecture.md: its table has apps/e, which tooling/layers.json lacks",
  ]);
});

test("a package that a tsconfig.json does not refer to is named, and one that it refers to for nothing", () => {
  const found = problemsOf("references", {
    "packages/a/package.json": '{ "dependencies": { "@unroll/b": "workspace:*", "zod": "4" } }',
    "packages/a/tsconfig.json": '{ "references": [{ "path": "../c" }] }',
    "packages/b/package.json": "{}",
    "packages/b/tsconfig.json": "{}",
  });
  expect(found).toEqual([
    "packages/a/tsconfig.json: references lacks b, which package.json names",
    "packages/a/tsconfig.json: references has c, which package.json does not name",
  ]);
});

test("core over its budget of code lines is named; comments and blank lines do not count", () => {
  const lines = (count: number): string => `/** why */\n// how\n\n${"run();\n".repeat(count)}`;
  expect(problemsOf("budgets", { "packages/core/src/a.ts": lines(2000) })).toEqual([]);
  expect(problemsOf("budgets", { "packages/core/src/a.ts": lines(2001) })).toHaveLength(1);
  expect(problemsOf("budgets", { "apps/acp/src/a.ts": lines(2001) })).toEqual([]);
});

test("the report counts what there is, package by package", () => {
  using planted = plantRepository({
    "packages/a/package.json": withEntries({ ".": "index" }),
    "packages/a/src/index.ts": 'export { run } from "./run/run.ts";\n',
    "packages/a/src/run/run.ts":
      "// why\nexport function run(): void {\n  once();\n  twice();\n  twice();\n}\n\nfunction once(): void {}\nfunction twice(): void {}\n",
  });
  const report = renderReport(planted);
  expect(report.split("\n").map((line) => line.trim().split(/ {2,}/))).toContainEqual([
    "packages/a",
    "8",
    "2",
    "2",
    "2",
    "1 (50 %)",
    "1",
    "1",
  ]);
});

test("a file called utils, export * and a rule that is switched off without a reason are named", () => {
  const disable = "oxlint-disable";
  const found = problemsOf("sources", {
    "packages/a/src/utils.ts": 'export * from "./b.ts";\n',
    "packages/a/src/b.ts": `// ${disable}-next-line no-control-regex -- they are what is cut\n// ${disable}-next-line no-cycle\n`,
    "examples/a/helpers.ts": "",
    "simulation/src/a.ts": 'export * from "./b.ts";\n',
  });
  expect(found).toEqual([
    "examples/a/helpers.ts: name the file after its one concept",
    'packages/a/src/b.ts:2: switches a lint rule off: say why behind " -- "',
    "packages/a/src/utils.ts: name the file after its one concept",
    'packages/a/src/utils.ts: export names one by one, never "export *"',
    'simulation/src/a.ts: export names one by one, never "export *"',
  ]);
});

test("what a package exports says what it is", () => {
  const files = {
    "packages/a/package.json": withEntries({ ".": "index", "./define": "define" }),
    "packages/a/src/index.ts": 'export { told, bare } from "./a.ts";\nexport type { Free } from "./a.ts";\n',
    "packages/a/src/define.ts": "export function define(): void {}\n",
    "packages/a/src/a.ts":
      "/** It tells. */\nexport function told(): void {}\nexport const bare = 1;\nexport interface Free {}\n",
  };
  expect(problemsOf("docstrings", files)).toEqual([
    "packages/a/src/a.ts: Free has no docstring: what is it, what does it take and give?",
    "packages/a/src/a.ts: bare has no docstring: what is it, what does it take and give?",
    "packages/a/src/define.ts: define has no docstring: what is it, what does it take and give?",
  ]);
});

test("a package without a README is named", () => {
  const found = problemsOf("readmes", { "packages/a/package.json": "{}" });
  expect(found).toEqual(["packages/a/README.md: missing: what is the package for, why is it apart?"]);
});

test("a package without a row in docs/packages.md is named, and so is a row without a package or a second row", () => {
  const found = problemsOf("readmes", {
    "docs/packages.md": [
      "See [b](../apps/b).",
      "| [`a`](../packages/a) | the first |",
      "| [`a`](../packages/a) | once more |",
      "| [`c`](../packages/c) | gone |",
    ].join("\n"),
    "packages/a/package.json": "{}",
    "packages/a/README.md": "",
    "apps/b/package.json": "{}",
    "apps/b/README.md": "",
  });
  expect(found).toEqual([
    "docs/packages.md: has no row for apps/b",
    "docs/packages.md: has two rows for packages/a",
    "docs/packages.md: packages/c is no package",
  ]);
});

test("a path of one machine, a registry host and a key in a tracked file are named", () => {
  using repository = plantRepository({
    "a.md": ["see", "/ro" + "ot/notes", "sk-" + "a".repeat(20), "https://registry.npm" + "js.org"].join("\n"),
  });
  for (const args of [
    ["init", "-q"],
    ["add", "."],
  ])
    execFileSync("git", args, { cwd: repository.root });
  expect(checks["tracked"]?.(repository)).toEqual([
    "a.md:2: holds a path of one machine",
    "a.md:3: holds what looks like an API key",
    "a.md:4: holds a registry host",
  ]);
});

test("a callback that does I/O by itself or by functions of other files is named, unless something catches its errors", () => {
  const found = problemsOf("callbacks", {
    "packages/a/src/index.ts": 'export { remove } from "./remove.ts";\n',
    "packages/a/src/remove.ts":
      'import { existsSync, rmSync } from "node:fs";\n' +
      "export function remove(path) { if (existsSync(path)) rmSync(path); }\n" +
      "export function tryToRemove(path) { try { remove(path); } catch {} }\n" +
      "export async function removeLater(path) { rmSync(path); }\n",
    "packages/b/src/index.ts":
      'import { remove } from "@unroll/a";\n' +
      'import { tryToRemove, removeLater } from "../../a/src/remove.ts";\n' +
      "const clean = () => remove(1);\n" +
      "setTimeout(clean, 1);\n" +
      'child.on("exit", () => clean());\n' +
      'signal.addEventListener("abort", () => tryToRemove(1));\n' +
      "clock.setTimer(1, () => removeLater(1).catch(() => {}));\n" +
      "setInterval(contain(clean, () => {}), 1);\n",
  });
  const what = "a callback that may throw by clean > remove > remove > rmSync: wrap it in contain of @unroll/flow";
  expect(found).toEqual([`packages/b/src/index.ts:4: ${what}`, `packages/b/src/index.ts:5: ${what}`]);
});

test("a process started from a program that no finder found is reported, in any notation", () => {
  const found = problemsOf("spawns", {
    "packages/a/src/value.ts": 'import { spawn } from "node:child_process";\nspawn("git");\n',
    "packages/a/src/type.ts":
      'import type { ChildProcess } from "node:child_process";\nexport type Child = ChildProcess;\n',
    "packages/a/src/mixed.ts":
      'import { type ChildProcess, exec } from "child_process";\nexport const run = (): ChildProcess => exec("x");\n',
    "packages/a/src/late.ts": 'export const run = async () => (await import("node:child_process")).fork("x");\n',
    "packages/a/src/hidden.ts": 'export const run = process.getBuiltinModule("node:child_process").spawn;\n',
    "packages/a/src/lazy.ts":
      'export type Pty = typeof import("node-pty");\nexport const load = () => import("node-pty");\n',
    "packages/a/src/becomes.ts": "process.execve?.('/bin/sh');\n",
    "apps/b/src/made.ts":
      'import { toCommandFile } from "@unroll/process-tree";\nexport const git = toCommandFile("git");\n',
    "packages/process-tree/src/program/spawn-program.ts": 'import { spawn } from "node:child_process";\nspawn("x");\n',
  });
  expect(found.map((each) => each.replace(/: .*/, ""))).toEqual([
    "apps/b/src/made.ts:1",
    "apps/b/src/made.ts:2",
    "packages/a/src/becomes.ts:1",
    "packages/a/src/hidden.ts:1",
    "packages/a/src/late.ts:1",
    "packages/a/src/lazy.ts:2",
    "packages/a/src/mixed.ts:1",
    "packages/a/src/value.ts:1",
  ]);
});
