import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { familiesWithInstructions, readBuiltInInstructions } from "../src/instructions/built-in-instructions.ts";
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
  expect(await readBuiltInInstructions(family)).toBe(read(family));
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
