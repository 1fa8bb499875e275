import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillPrompt, readPromptFiles } from "@unroll/use-cases/prompts";
import { expect, test } from "vitest";

test.for([
  ["Mend $1.", 'a.ts "b c"', "Mend a.ts."],
  ["All: $ARGUMENTS; $2", 'a "b c"', 'All: a "b c"; b c'],
  ["For $NAME, $1: $$5", "NAME='Ada L' x", "For Ada L, x: $5"],
  ["Look.", "here", "Look.\n\nhere"],
  ["Look.", "", "Look."],
] as const)("the prompt %j given %j is %j", ([body, argument, text]) => {
  expect(fillPrompt(body, argument)).toEqual({ type: "filled", text });
});

test("a prompt tells which of its named places were left out", () => {
  expect(fillPrompt("$WHO does $WHAT", "WHO=me")).toEqual({ type: "missing", names: ["WHAT"] });
});

test("the prompts of a home are named by their files, and their heads say what they are and take", async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), "unroll-prompts-"));
  expect(await readPromptFiles(home.path)).toEqual([]);
  const folder = join(home.path, "prompts");
  await mkdir(join(folder, "folder.md"), { recursive: true });
  await writeFile(join(folder, "fix.md"), "---\ndescription: 'x: y'\nargument-hint: FILE\n---\nBody");
  await writeFile(join(folder, "plain.md"), "no head\nmore");
  await writeFile(join(folder, "other.txt"), "no prompt");
  expect(await readPromptFiles(home.path)).toEqual([
    { name: "prompts:fix", description: "x: y", argumentHint: "FILE", body: "Body" },
    { name: "prompts:plain", description: "no head", argumentHint: null, body: "no head\nmore" },
  ]);
});
