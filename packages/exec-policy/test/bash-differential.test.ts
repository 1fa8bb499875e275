import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readScript, type SimpleCommand } from "@unroll/exec-policy";
import fc from "fast-check";
import { expect, test } from "vitest";

const bash = "/bin/bash";

/**
 * Runs each script twice, its commands once failing and once not; writes the words of every command that starts. Each
 * record is one write, for Bash flushes at a newline and commands run side by side.
 */
const recorder = String.raw`
exec 9>&1
number=0
command_not_found_handle() {
  local IFS=$'\x1f' record
  record="$number$IFS$*"
  printf '%s\x1e' "${"$"}{record//$'\n'/$'\x1c'}" >&9
  return "$outcome"
}
while IFS= read -r -d '' script; do
  for outcome in 0 1; do
    (eval "$script"; wait) >/dev/null 2>&1 </dev/null
  done
  number=$((number + 1))
done
`;

interface Started {
  readonly script: string;
  readonly argv: readonly string[];
}

function runInBash(scripts: readonly string[]): readonly Started[] {
  const run = spawnSync(bash, ["--norc", "--noprofile", "-c", recorder], {
    input: scripts.map((script) => `${script}\0`).join(""),
    env: { PATH: "/sys/nonexistent" },
    encoding: "utf8",
    timeout: 250_000,
    maxBuffer: 100_000_000,
  });
  expect(run.status).toBe(0);
  const records = run.stdout.replaceAll("\x1C", "\n").split("\x1E").slice(0, -1);
  return records.map((record) => {
    const [number, ...argv] = record.split("\x1F");
    return { script: scripts[Number(number)] ?? "", argv };
  });
}

/** Whether a reading may stand for what was started: word for word, up to the first that only Bash knew. */
function standsFor({ words }: SimpleCommand, argv: readonly string[]): boolean {
  const known = words.findIndex((word) => word.kind !== "static");
  if (known === -1) return words.length === argv.length && words.every((word, index) => word.text === argv[index]);
  return words.slice(0, known).every((word, index) => word.text === argv[index]);
}

function findUnlisted(scripts: readonly string[]): readonly Started[] {
  return runInBash(scripts).filter(
    ({ script, argv }) => !readScript(script, "bash").commands.some((command) => standsFor(command, argv)),
  );
}

const pieces = fc.constantFrom(
  ...(
    "c0 c1 c2 a b 'q r' \"d e\" '' \\' \"\\$x\" e\\ f g'h'i -x --y=z 1 if then fi in { } ! ~x = # ( ) && || | ; & " +
    "\\\\ 'it'\\''s' \"a'b\" $'n\\tq' * [a] =~/x >f 2>&1 c3 c4 | && ; c0 c1"
  ).split(" "),
  "\n",
  "\\\n",
  "\t",
);
const jumbles = fc
  .array(fc.tuple(pieces, fc.constantFrom(" ", " ", " ", "")), { minLength: 1, maxLength: 10 })
  .map((parts) => parts.flat().join(""));

test.skipIf(!existsSync(bash))("Bash starts no command that is not in the reading of a plain jumble of words", () => {
  const plain = fc.sample(jumbles, { numRuns: 1000, seed: 20_260_101 }).filter((script) => {
    const { commands, flaw } = readScript(script, "bash");
    if (flaw !== null || commands.some((command) => command.redirects.length > 0)) return false;
    return commands.every(({ words }) => words.every((word) => word.kind === "static"));
  });
  expect(plain.length).toBeGreaterThan(100);
  expect(findUnlisted(plain)).toEqual([]);
});

const { list } = fc.letrec<{ list: string; statement: string; simple: string; word: string }>((tie) => ({
  word: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom("a", "'b c'", '"d"', "\\e", '"$v"', "$v", "*", "~", "if", "{"),
    tie("list").map((body) => `$(${body})`),
    tie("list").map((body) => `"x$(${body})y"`),
    tie("list").map((body) => `\${u:-$(${body})}`),
  ),
  simple: fc
    .tuple(fc.constantFrom("c0", "c1", "Z=1 c2", "'c 3'", "c\\4"), fc.array(tie("word"), { maxLength: 2 }))
    .map(([program, words]) => [program, ...words].join(" ")),
  statement: fc.oneof(
    { maxDepth: 4, depthIdentifier: "statement" },
    tie("simple"),
    fc.tuple(tie("simple"), fc.constantFrom("&&", "||", "|"), tie("statement")).map((parts) => parts.join(" ")),
    tie("list").map((body) => `( ${body} )`),
    tie("list").map((body) => `{ ${body}\n}`),
    fc.tuple(tie("simple"), tie("list"), tie("list")).map(([a, b, c]) => `if ${a}; then ${b}\nelse ${c}\nfi`),
    fc.tuple(tie("word"), tie("list")).map(([word, body]) => `for v in ${word}; do ${body}\ndone`),
    fc.tuple(tie("list"), tie("list")).map(([a, b]) => `case k in k) ${a}\n;; *) ${b}\n;; esac`),
    tie("list").map((body) => `{ f() { ${body}\n}; f; }`),
    fc.tuple(tie("simple"), tie("simple")).map(([a, b]) => `${a} <<E\n$(${b}) $v\nE\n`),
    tie("list").map((body) => `X=$(${body})`),
  ),
  list: fc.array(tie("statement"), { minLength: 1, maxLength: 2 }).map((statements) => statements.join("\n")),
}));

test.skipIf(!existsSync(bash))("Bash starts no command that is not in the reading of a compound script", () => {
  const readable = fc
    .sample(list, { numRuns: 1000, seed: 20_260_102 })
    .filter((script) => script.length < 120 && readScript(script, "bash").flaw === null);
  expect(readable.length).toBeGreaterThan(80);
  expect(findUnlisted(readable)).toEqual([]);
});
