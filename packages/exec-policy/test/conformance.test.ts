import { readdirSync, readFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { type DecisionSource, judgeCommand, parseRules, type ShellDialect, type Verdict } from "@unroll/exec-policy";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../conformance/exec-policy");
const context = { cwd: "/home/ana/work/project", home: "/home/ana" };

interface Expectation {
  readonly argv?: readonly string[];
  readonly script?: string;
  readonly shell?: ShellDialect;
  readonly decision: string;
  readonly source: string;
  readonly rule?: string;
}

describe.each(readdirSync(root).filter((name) => /^\d/.test(name)))("%s", (name) => {
  const rules = parseRules(readFileSync(join(root, name, "rules.rules"), "utf8"), "rules.rules");
  if (existsSync(join(root, name, "errors.json"))) {
    test("is refused at these places", () => {
      const errors = rules.type === "rules.refused" ? rules.errors : [];
      const expected: unknown = JSON.parse(readFileSync(join(root, name, "errors.json"), "utf8"));
      expect(errors.map(({ line, column }) => ({ line, column }))).toEqual(expected);
    });
    return;
  }
  const expectations = JSON.parse(readFileSync(join(root, name, "commands.json"), "utf8")) as readonly Expectation[];
  test.each(expectations.map((expectation) => [expectation.script ?? expectation.argv?.join(" ") ?? "", expectation]))(
    "%s",
    (_, { argv = [], script, shell = "bash", ...expected }) => {
      if (rules.type === "rules.refused") throw new Error(rules.errors[0]?.message);
      const verdict = judgeCommand(script === undefined ? { argv } : { script, shell }, rules.rules, context);
      expect(toExpectation(verdict)).toEqual(expected);
    },
  );
});

function toExpectation(verdict: Verdict): Pick<Expectation, "decision" | "source" | "rule"> {
  const rule = ruleOf(verdict.source);
  return { decision: verdict.decision, source: verdict.source.type, ...(rule === null ? {} : { rule }) };
}

function ruleOf(source: DecisionSource): string | null {
  if (source.type !== "rule.matched" && source.type !== "rule.suspected") return null;
  const { file, line } = source.type === "rule.matched" ? source.match.rule.location : source.rule.location;
  return `${file}:${line}`;
}
