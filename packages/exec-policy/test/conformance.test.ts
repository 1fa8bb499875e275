import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type DecisionSource,
  type GitSettings,
  judgeCommand,
  type ParsedRules,
  parseRules,
  type ShellDialect,
  type Verdict,
} from "@unroll/exec-policy";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../conformance/exec-policy");
const context = { cwd: "/home/ana/code/project", home: "/home/ana" };

interface Expectation {
  readonly argv?: readonly string[];
  readonly script?: string;
  readonly shell?: ShellDialect;
  readonly git?: GitSettings;
  readonly decision: string;
  readonly source: string;
  readonly rule?: string;
}

function readCase(path: string): { readonly rules: ParsedRules; readonly expected: unknown } {
  const text = readFileSync(join(root, dirname(path), "rules.rules"), "utf8");
  return {
    rules: parseRules(text, "rules.rules"),
    expected: JSON.parse(readFileSync(join(root, path), "utf8")),
  };
}

test.each(globSync("*/errors.json", { cwd: root }))("%s: the rules file is refused at these places", (path) => {
  const { rules, expected } = readCase(path);
  const errors = rules.type === "rules.refused" ? rules.errors : [];
  expect(errors.map(({ line, column }) => ({ line, column }))).toEqual(expected);
});

describe.each(globSync("*/commands.json", { cwd: root }).toSorted())("%s", (path) => {
  const { rules, expected } = readCase(path);
  const expectations = expected as readonly Expectation[];
  test.each(expectations.map((expectation) => [expectation.script ?? expectation.argv?.join(" ") ?? "", expectation]))(
    "%s",
    (_, { argv = [], script, shell = "bash", git = null, ...expectation }) => {
      if (rules.type === "rules.refused") throw new Error(rules.errors[0]?.message);
      const verdict = judgeCommand(script === undefined ? { argv } : { script, shell }, rules.rules, {
        ...context,
        git,
      });
      expect(toExpectation(verdict)).toEqual(expectation);
    },
  );
});

function toExpectation(verdict: Verdict): Pick<Expectation, "decision" | "source" | "rule"> {
  const rule = ruleOf(verdict.source);
  return { decision: verdict.decision, source: verdict.source.type, ...(rule === null ? {} : { rule }) };
}

function ruleOf(source: DecisionSource): string | null {
  if (!("rule" in source || "match" in source)) return null;
  const { file, line } = "match" in source ? source.match.rule.location : source.rule.location;
  return `${file}:${line}`;
}
