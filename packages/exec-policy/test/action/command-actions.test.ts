import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandAction, listCommandActions } from "@unroll/exec-policy";
import { split } from "shlex";
import { expect, test } from "vitest";

type Row = readonly [type: string, command: string, ...rest: (string | null)[]];

interface Recorded {
  readonly script: string;
  /** The answer of the Codex CLI. */
  readonly codex: readonly Row[];
  /** Where ours is another one: why, and which. */
  readonly named?: string;
  readonly ours?: readonly Row[];
}

const file = join(import.meta.dirname, "../../../../conformance/command-actions/recorded.jsonl");
const recorded = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Recorded);

function toRow(action: CommandAction): Row {
  switch (action.type) {
    case "read":
      return ["read", action.command, action.name, action.path];
    case "list_files":
      return ["listFiles", action.command, action.path];
    case "search":
      return ["search", action.command, action.query, action.path];
    case "unknown":
      return ["unknown", action.command];
  }
}

/** The Codex CLI changes the quotes of a command; ours are as they were written. */
function withWords(rows: readonly Row[]): unknown {
  return rows.map(([type, command, ...rest]) => [type, toWords(command), ...rest]);
}

function toWords(command: string): readonly string[] {
  try {
    return split(command);
  } catch {
    return [command];
  }
}

test("a script's actions are those that the Codex CLI names, or the difference has a name", () => {
  expect(recorded.length).toBeGreaterThan(500);
  const found = recorded.map(({ script }) => ({
    script,
    rows: withWords(listCommandActions(script, "/work").map(toRow)),
  }));
  expect(found).toEqual(recorded.map(({ script, codex, ours }) => ({ script, rows: withWords(ours ?? codex) })));
});

test("each difference has a name, and each name has a row in the docs", () => {
  const named = recorded.filter(({ ours }) => ours !== undefined).map(({ named: name }) => name ?? "none");
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/app-server.md"), "utf8");
  expect([...new Set(named)].filter((name) => !page.includes(`| ${name} |`))).toEqual([]);
});

test("a part that may write, or that is not known, makes the whole script unknown", () => {
  for (const script of [
    "rg -l x | xargs rm",
    "cat a.txt | tee b.txt",
    "find . -name x -exec rm {} +",
    "cat a.txt > b.txt",
    "ls && npm publish",
  ])
    expect(listCommandActions(script, "/work")).toEqual([{ type: "unknown", command: script }]);
});

test.each([
  "bat --pager='touch x' a",
  "eza -Y src",
  "bat --page='touch x' a",
  "less --log-file=out a",
  "less --log=out a",
  "less -Nolog a",
  "less --lesskey-content=x a",
  "less '+!touch x'",
  "ack --pager='touch x' foo",
  "ag --pag 'touch x' foo src",
  "rga --pre ./x foo",
  "rga --rga-config-file=x foo",
  "ripgrep-all --pre=./x foo",
  "cat names | xargs find",
  "cat names | xargs sort",
  "cat names | xargs tree",
  "cat names | xargs uniq",
  "cat names | xargs rg foo",
  "cat names | xargs env",
  "cat names | xargs date",
  "cat names | xargs -I{} find {}",
])("a program that may run or write something by an option, or by what xargs reads, is not a read: %s", (script) => {
  expect(listCommandActions(script, "/work")).toEqual([{ type: "unknown", command: script }]);
});
