import { answersQuestion } from "@unroll/exec-policy";
import { expect, test } from "vitest";

const asked = (script: string, proposedPrefix: readonly string[]) => ({
  command: { script, shell: "bash" } as const,
  cwd: "/home/ada",
  proposedPrefix,
  proposedEnv: [],
});

test.each([
  ["the offer itself", ["git", "push"], true],
  ["a shorter one", ["git"], true],
  ["a longer one that the command starts with", ["git", "push", "origin"], true],
  ["another part of the line that would be asked about", ["make"], true],
  ["a part that only reads", ["ls"], false],
  ["another argument", ["git", "push", "upstream"], false],
  ["another program", ["rm"], false],
  ["nothing", [], false],
])("as an answer about a command, %s: %j is one: %s", (_name, prefix, expected) => {
  expect(answersQuestion(prefix, asked("ls && git push origin main && make all", ["git", "push"]))).toBe(expected);
});

test("a command behind a shell is read too", () => {
  const command = { argv: ["bash", "-lc", "make lint all"] };
  const question = { command, cwd: "/home/ada", proposedPrefix: ["make", "lint"], proposedEnv: [] };
  expect(answersQuestion(["make", "lint", "all"], question)).toBe(true);
  expect(answersQuestion(["make", "all"], question)).toBe(false);
});
