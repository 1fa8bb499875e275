import { readdirSync, readFileSync } from "node:fs";
import { instructionsDirectory, instructionsFileName } from "@unroll/prompt";
import { expect, test } from "vitest";

const read = (family: string): string =>
  readFileSync(new URL(instructionsFileName(family), instructionsDirectory), "utf8");
const wordsOf = (text: string): number => text.split(/\s+/u).length;

test("there are base instructions for each family, and for none", () => {
  expect(readdirSync(instructionsDirectory).sort()).toEqual([
    "default.md",
    "gpt-5-codex.md",
    "gpt-5.md",
    "gpt-oss.md",
    "unroll-demo.md",
  ]);
});

test.each([
  ["default", 1200, 2000],
  ["gpt-5", 1000, 2000],
  ["gpt-5-codex", 500, 900],
  ["gpt-oss", 1000, 2000],
  ["unroll-demo", 50, 200],
])("the instructions of %s have between %i and %i words", (family, least, most) => {
  expect(wordsOf(read(family))).toBeGreaterThanOrEqual(least);
  expect(wordsOf(read(family))).toBeLessThanOrEqual(most);
});

const tools = ["apply_patch", "update_plan", "view_image", "web_search", "exec_command", "write_stdin"];

test.each(["default", "gpt-5", "gpt-5-codex", "gpt-oss"])(
  "the instructions of %s name the tools there are",
  (family) => {
    expect(tools.filter((tool) => !read(family).includes(tool))).toEqual([]);
  },
);

test("the patches that are shown as examples are whole", () => {
  for (const family of ["default", "gpt-oss"]) {
    const examples = read(family).match(/```\n\*\*\* Begin Patch\n[^]*?```/gu) ?? [];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(example).toMatch(/\n\*\*\* End Patch\n```$/u);
  }
});
