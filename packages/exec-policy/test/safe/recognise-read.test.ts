import { judgeCommand, mergeRules } from "@unroll/exec-policy";
import { expect, test } from "vitest";

function onlyReads(argv: readonly string[]): boolean {
  const context = { cwd: "/w", home: null, git: { runsPrograms: false, hasSubmodules: false } };
  return judgeCommand({ argv }, mergeRules([]), context).source.type === "read.recognised";
}

test.each([
  [["ls", "-la"]],
  [["/usr/bin/cat", "a b"]],
  [["git", "log", "--format=%h", "-n", "3", "--", "src"]],
  [["git", "diff", "--stat", "main...HEAD"]],
  [["rg", "--json", "-A3", "foo", "-g", "*.ts"]],
  [["find", "src", "(", "-name", "*.ts", "-o", "-name", "*.js", ")", "-print0"]],
  [["sed", "-n", "10,20p", "a", "b"]],
  [["sort", "-t", ",", "-k2", "a"]],
])("%j only reads", (argv) => {
  expect(onlyReads(argv)).toBe(true);
});

test.each([
  [[""]],
  [["./ls"]],
  [["/tmp/cat"]],
  [["LS"]],
  [["ls", "a\0b"]],
  [["make"]],
  [["git"]],
  [["git", "commit"]],
  [["git", "-c", "alias.status=!x", "status"]],
  [["git", "diff", "--output", "x"]],
  [["rg", "--pre=x", "y"]],
  [["find", ".", "-execdir", "x", ";"]],
  [["sed", "-n", "10,20w x", "a"]],
  [["sort", "-ox", "a"]],
  [["uniq", "in", "out"]],
  [["command", "make"]],
  [["env", "make"]],
])("%j is not known to only read", (argv) => {
  expect(onlyReads(argv)).toBe(false);
});
