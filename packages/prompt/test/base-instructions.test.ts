import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  familiesWithInstructions,
  findBuiltInInstructions,
  fitToTools,
} from "../src/instructions/read-instructions.ts";
import type { PromptTool } from "../src/prompt-context.ts";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "../instructions");
const read = (family: string): string => readFileSync(join(folder, `${family}.md`), "utf8");
const wordsOf = (text: string): number => text.split(/\s+/u).length;

test("the families with base instructions are those of the folder", () => {
  expect(familiesWithInstructions.map((family) => `${family}.md`)).toEqual(readdirSync(folder).sort());
});

test.each(familiesWithInstructions)("the instructions of %s are compiled in as they are written", async (family) => {
  const text = read(family).replace(/[\\`]|\$(?=\{)/g, "\\$&");
  const module = `/** Written from \`instructions/${family}.md\` by \`vitest -u\`. */\nexport const instructions = \`${text}\`;\n`;
  await expect(module).toMatchFileSnapshot(join(folder, `../src/instructions/texts/${family}.ts`));
});

const functions = (...names: string[]): PromptTool[] => names.map((name) => ({ type: "function", name }));
const allTools: readonly PromptTool[] = [
  ...functions("exec_command", "write_stdin"),
  { type: "custom", name: "apply_patch" },
  ...functions("update_plan", "view_image"),
  { type: "web_search" },
];
const fitted = (family: string, tools = allTools): string => findBuiltInInstructions(family, tools) ?? "";

test.each([
  ["default", 1200, 2000],
  ["gpt-5", 1000, 2000],
  ["gpt-5-codex", 500, 900],
  ["gpt-oss", 1000, 2000],
  ["unroll-demo", 50, 200],
])("the instructions of %s have between %i and %i words", (family, least, most) => {
  const words = wordsOf(fitted(family));
  expect(words).toBeGreaterThanOrEqual(least);
  expect(words).toBeLessThanOrEqual(most);
});

test.each(["default", "gpt-5", "gpt-5-codex", "gpt-oss"])(
  "the instructions of %s explain every tool of the request, and what they say of another one is left out",
  (family) => {
    const all = ["apply_patch", "update_plan", "view_image", "web_search", "exec_command", "write_stdin"];
    const text = fitted(family);
    expect(all.filter((tool) => !text.includes(tool))).toEqual([]);
    const other = fitted(family, functions("shell_command"));
    expect(all.filter((tool) => other.includes(tool))).toEqual([]);
    expect(other).toContain("`shell_command`");
    expect(other).not.toContain("{{");
  },
);

test("a part stays where the request has its tool, its type of tool or one of its group; a tag alone takes its line along", () => {
  const text = `A
{{#commands}}
B{{^exec_command}} C{{/exec_command}}{{#exec_command}} D{{/exec_command}}
{{#apply_patch.function}}
E
{{/apply_patch.function}}
{{/commands}}
F{{#web_search}} G{{/web_search}}
`;
  expect(fitToTools(text, functions("exec_command", "apply_patch"))).toBe("A\nB D\nE\nF\n");
  expect(fitToTools(text, [...functions("shell"), { type: "custom", name: "apply_patch" }])).toBe("A\nB C\nF\n");
  expect(fitToTools(text, [{ type: "web_search" }])).toBe("A\nF G\n");
});

test("the patches that are shown as examples are whole", () => {
  for (const family of ["default", "gpt-oss"]) {
    const examples = read(family).match(/```\n\*\*\* Begin Patch\n[^]*?```/gu) ?? [];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(example).toMatch(/\n\*\*\* End Patch\n```$/u);
  }
});
