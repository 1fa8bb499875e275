import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judgeCommand, mergeRules } from "@unroll/exec-policy";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

/** Implementations differ in where a text or an expression ends; those that are here are asked. */
const awks = [["mawk"], ["gawk"], ["gawk", "--posix"], ["original-awk"], ["busybox", "awk"]];
const seds = [["sed"], ["sed", "--posix"], ["busybox", "sed"]];

const folder = mkdtempSync(join(tmpdir(), "unroll-hostile-text-"));

beforeAll(() => {
  writeFileSync(join(folder, "g"), 'a b c\n/ x " |\n" > y ]\n');
  writeFileSync(join(folder, "x"), "#!/bin/sh\n: > ran\n");
  chmodSync(join(folder, "x"), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A command line up to the text, and after it. One shell runs them all: a process of its own takes a test longer than a shell. */
const runner = `
command -v "$1" > /dev/null || exit 0
program="$1 $2" number=0; shift 2
for text do
  $program "$text" g < /dev/null > /dev/null 2>&1
  for name in * .[!.]*; do
    case $name in g | x) continue ;; esac
    [ -e "$name" ] || [ -L "$name" ] || continue
    rm -r -- "$name"; printf '%s %s\\n' "$number" "$name"
  done
  number=$((number + 1))
done`;

/** Runs the texts that we judge to only read. Returns the files that they leave behind, and the share of texts that were judged so. */
function runSafe(texts: readonly string[], [name = "", ...options]: readonly string[], programs: readonly string[][]) {
  const context = { cwd: folder, home: null };
  const safe = texts.filter((text) => {
    const argv = [name, ...options, text, "g"];
    return judgeCommand({ argv }, mergeRules([]), context).decision === "allow";
  });
  const left = programs.flatMap(([program = "", ...more]) => {
    const argv = ["-c", runner, "sh", program, [...more, ...options].join(" "), ...safe];
    const run = spawnSync("sh", argv, { cwd: folder, encoding: "utf8", timeout: 250_000 });
    expect(run.status).toBe(0);
    const found = run.stdout.split("\n").filter((line) => line !== "");
    return found.map((line) => ({ program, line, text: safe[Number.parseInt(line)] }));
  });
  return { left, share: safe.length / texts.length };
}

function sample<T>(arbitrary: fc.Arbitrary<T>): readonly T[] {
  return [...new Set(fc.sample(arbitrary, { numRuns: 400, seed: 20_260_104 }))];
}

const values = fc.constantFrom(
  "a",
  "1",
  "$1",
  "NR",
  '"x"',
  '"\\" > \\"f"',
  '"|"',
  "/x/",
  "/a>b|c/",
  "/[/]/",
  '/[]/"]/',
  "/\\//",
  "(a)",
  "a++",
  "-1",
  "$a",
  "length",
  "substr($0, 1)",
  '"./x"',
  '"f"',
  "(a > b)",
  "!a",
  "/[^]/]/",
  "a[1]",
  "x~/y/",
  "getline",
  "#",
  "\\",
);
const operators = fc.constantFrom(
  " ",
  ", ",
  "/",
  " / ",
  " == ",
  " ~ ",
  " && ",
  " ? a : ",
  " > ",
  " | ",
  " >> ",
  "\n",
  ",\n",
);
const expression = fc
  .tuple(values, fc.array(fc.tuple(operators, values), { maxLength: 2 }))
  .map(([first, rest]) => first + rest.flat().join(""));
const statement = fc.oneof(
  expression.map((text) => `print ${text}`),
  expression.map((text) => `printf "%s", ${text}`),
  expression.map((text) => `if (a) ${text}`),
  expression.map((text) => `x = ${text}`),
  expression,
);
const awkProgram = fc.oneof(
  expression,
  fc.array(statement, { minLength: 1, maxLength: 3 }).map((statements) => `{${statements.join("; ")}}`),
  fc.tuple(expression, statement).map(([pattern, action]) => `${pattern} {${action}}`),
  fc.tuple(statement, expression).map(([action, pattern]) => `{${action}} ${pattern}`),
);

test("no awk writes or runs what its program is said to only print", () => {
  const { left, share } = runSafe(sample(awkProgram), ["awk"], awks);
  expect(left).toEqual([]);
  expect(share).toBeGreaterThan(0.25);
});

const addresses = fc.constantFrom(
  "",
  "1",
  "$",
  "1,3",
  "/a/",
  "/[/]/",
  "\\,a,",
  "/a/,/b/",
  "2!",
  "/[]/]/",
  "0~2",
  "/\\//I",
);
const patterns = fc.constantFrom(
  "a",
  "[a]",
  "[/]",
  "[]/]",
  "\\/",
  "[^]/]",
  "[[:alpha:]]",
  "w f",
  "[\\/]",
  "[\\]/]",
  ".*",
);
const flags = fc.constantFrom("", "", "g", "g", "p", "p", "2", "gI", "w f", "e", ";w f", " e", "/w f", ";e ./x");
const sedCommand = fc.oneof(
  fc.tuple(patterns, patterns, flags).map(([a, b, flag]) => `s/${a}/${b}/${flag}`),
  fc.constantFrom(
    "p",
    "d",
    "=",
    "q",
    "w f",
    "e",
    "e ./x",
    "{p",
    "{p}",
    "}",
    "n;d",
    "r g",
    "y/a/b/",
    "a\\\nw f",
    "#w f",
  ),
);
const sedScript = fc
  .array(
    fc.tuple(addresses, sedCommand).map((parts) => parts.join("")),
    { minLength: 1, maxLength: 2 },
  )
  .chain((commands) => fc.constantFrom(";", "\n", " ; ").map((separator) => commands.join(separator)));

test("no sed writes or runs what its script is said to only print", () => {
  const { left, share } = runSafe(sample(sedScript), ["sed", "-n"], seds);
  expect(left).toEqual([]);
  expect(share).toBeGreaterThan(0.15);
});
