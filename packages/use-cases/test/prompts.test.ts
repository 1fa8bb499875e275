import { link, mkdir, mkdtempDisposable, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillPrompt, readPromptFiles } from "@unroll/use-cases/prompts";
import { expect, test } from "vitest";

const limits = { maxProcesses: null, maxMemoryMb: null, maxTotalMemoryMb: null };

/** The settings that decide which prompt files are read. */
function toSettings(codexHome: string, denyRead: readonly string[] = []): Parameters<typeof readPromptFiles>[0] {
  return {
    cwd: "/work",
    projectRoot: null,
    codexHome,
    sandboxSettings: {
      mode: "read-only",
      networkAccess: false,
      writableRoots: [],
      excludeSlashTmp: false,
      excludeTmpdirEnvVar: false,
      git: "writable",
      denyRead,
      allowWeaker: false,
      limits,
    },
  };
}

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
  expect(await readPromptFiles(toSettings(home.path))).toEqual({ prompts: [], warnings: [] });
  const folder = join(home.path, "prompts");
  await mkdir(join(folder, "folder.md"), { recursive: true });
  await writeFile(join(folder, "fix.md"), "---\ndescription: 'x: y'\nargument-hint: FILE\n---\nBody");
  await writeFile(join(folder, "plain.md"), "no head\nmore");
  await writeFile(join(folder, "other.txt"), "no prompt");
  expect(await readPromptFiles(toSettings(home.path))).toEqual({
    prompts: [
      { name: "prompts:fix", description: "x: y", argumentHint: "FILE", body: "Body" },
      { name: "prompts:plain", description: "no head", argumentHint: null, body: "no head\nmore" },
    ],
    warnings: [],
  });
});

test("a prompt file that leads to a login or to a hidden file does not become a prompt, and a warning names it", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-prompts-"));
  const home = await realpath(folder.path);
  const [login, secret, prompts] = [join(home, "auth.json"), join(home, "secret.txt"), join(home, "prompts")];
  await mkdir(prompts);
  for (const path of [login, secret]) await writeFile(path, "a key");
  await symlink(login, join(prompts, "a.md"));
  await link(login, join(prompts, "b.md"));
  await link(secret, join(prompts, "c.md"));
  await writeFile(join(prompts, "good.md"), "Good.");
  const read = await readPromptFiles(toSettings(home, [secret]));
  expect(read.prompts.map(({ name }) => name)).toEqual(["prompts:good"]);
  expect(read.warnings).toEqual([
    `${join(prompts, "a.md")} leads to a file of unroll's own folder: it was skipped.`,
    `${join(prompts, "b.md")} is another name of a hidden file (it has 2 names): it was skipped.`,
    `${join(prompts, "c.md")} is another name of a hidden file (it has 2 names): it was skipped.`,
  ]);
});
