import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findIdioms } from "../structure/words/check-idioms.ts";
import { renderWords } from "../structure/words/render-words.ts";
import { plantRepository } from "./plant-repository.ts";

const root = join(import.meta.dirname, "../..");
const words = "tooling/structure/words";
const idioms = { [`${words}/idioms.json`]: readFileSync(join(root, words, "idioms.json"), "utf8") };

/** Where idioms are found, with the phrase. */
function placesOf(files: Readonly<Record<string, string>>): readonly string[] {
  using repository = plantRepository({ ...idioms, ...files });
  return findIdioms(repository).map(({ file, line, phrase }) => `${file}:${line}: ${phrase}`);
}

test("an idiom is found in pages, comments, test names and texts for users, at the line of its sentence", () => {
  const found = placesOf({
    "docs/a.md":
      "# Threads\n\nAll is well here. The user\nis told nothing.\n\n| key | The model is\n told |\n- It goes on.\n",
    "packages/a/src/a.ts":
      '/**\n * A harness.\n * Whoever opens it, closes it. */\nexport const message = (n: number): string => `The ${n} walls` + " hold.";\n',
    "packages/a/test/a.test.ts": 'test("the thread goes on after a fault", () => {});\n',
  });
  expect(found).toEqual([
    "docs/a.md:3: is told",
    "docs/a.md:8: goes on",
    "packages/a/src/a.ts:3: Whoever",
    "packages/a/test/a.test.ts:1: goes on",
    "packages/a/src/a.ts:4: walls",
  ]);
});

test("code, addresses, filled-in values and texts for the model are not prose for people", () => {
  const found = placesOf({
    [`${words}/model-texts.json`]: '{ "the model reads": ["packages/a/src/b.ts", "packages/a/src/for-model/"] }',
    "docs/a.md":
      "Run `goes on`. See <https://a.test/a-yes> or [it](goes-on.md).\n\n```sh\nwhoever goes on\n```\n\nWhat does it cost?\n",
    "packages/a/src/a.ts":
      'import "what stands";\nexport const a = (walls: string): string => `Read ${walls} first`;\n',
    "packages/a/src/b.ts": 'export const b = "The user said a yes.";\n',
    "packages/a/src/for-model/c.ts": 'export const c = "The thread goes on.";\n',
    "packages/a/src/d.ts": '// structure-ignore idioms: for the model\nexport const d = "The thread goes on.";\n',
  });
  expect(found).toEqual([]);
});

test("idioms --diff looks at changed and new files alone, and suggests other words", () => {
  using repository = plantRepository({ ...idioms, "docs/old.md": "It goes on.\n", "docs/changed.md": "It stays.\n" });
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@a.test", ...args], {
      cwd: repository.root,
      encoding: "utf8",
    });
  cpSync(join(root, "tooling"), join(repository.root, "tooling"), {
    recursive: true,
    filter: (path) => !path.endsWith("node_modules"),
  });
  symlinkSync(join(root, "node_modules"), join(repository.root, "node_modules"));
  git("init", "-q");
  git("add", "docs", "tooling");
  git("commit", "-qm", "first");
  writeFileSync(join(repository.root, "docs/changed.md"), "It was begun.\n");
  writeFileSync(join(repository.root, "docs/new.md"), "It stands there.\n");
  const check = join(repository.root, "tooling/check-structure.mjs");
  const run = spawnSync(process.execPath, [check, "idioms", "--diff", "docs"], { encoding: "utf8" });
  expect({ status: run.status, stderr: run.stderr }).toEqual({
    status: 1,
    stderr:
      'docs/changed.md:1: "was begun" → "started"\n    It was begun.\n' +
      'docs/new.md:1: "stands there" → "is", "comes before", "applies to"\n    It stands there.\n',
  });
  const wrong = spawnSync(process.execPath, [check, "idioms", "--everything"], { encoding: "utf8" });
  expect(wrong.status).toBe(2);
});

test("words lists the texts for users of each program with their places, one program or folder alone too", () => {
  using repository = plantRepository({
    "apps/cli/src/doctor/b.ts":
      'export const b = "All is well.\\nSecond line.";\nexport const c = { x: "no", y: "-c a=b" };\n',
    "apps/cli/src/main.ts":
      'export const m = (n: number): string => `${n} threads ${n === 1 ? "is here" : "are here"}`;\n',
    "packages/cells/src/a.ts": 'export type A = "two words";\nexport const a = "One " + "text here";\n',
  });
  expect(renderWords(repository, "")).toBe(
    "== cli/doctor (1 text)\napps/cli/src/doctor/b.ts:1  All is well.\n    Second line.\n\n" +
      "== cli (3 texts)\napps/cli/src/main.ts:1  ${n} threads ${…}\napps/cli/src/main.ts:1  is here\napps/cli/src/main.ts:1  are here\n\n" +
      "== shared: cells (1 text)\npackages/cells/src/a.ts:2  One text here\n",
  );
  expect(renderWords(repository, "cli/doctor")).toBe(
    "== cli/doctor (1 text)\napps/cli/src/doctor/b.ts:1  All is well.\n    Second line.\n",
  );
  expect(renderWords(repository, "cli/doc")).toBe(null);
});
