import { cp, mkdir, mkdtempDisposable, rename, rm, symlink, writeFile } from "node:fs/promises";
import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRuleFolderTest } from "@unroll/approval/node";
import { expect, test } from "vitest";

interface Place extends AsyncDisposable {
  readonly work: string;
  readonly elsewhere: string;
}

async function openPlace(): Promise<Place> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-rule-folder-"));
  const root = realpathSync(folder.path);
  const place = { work: join(root, "work"), elsewhere: join(root, "elsewhere") };
  for (const path of [place.work, join(place.work, "src"), place.elsewhere]) await mkdir(path);
  return { ...place, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** Writes the least that git accepts as a repository. */
async function makeRepository(gitFolder: string): Promise<void> {
  for (const name of ["objects", "refs"]) await mkdir(join(gitFolder, name), { recursive: true });
  await writeFile(join(gitFolder, "HEAD"), "ref: refs/heads/main\n");
}

const open = (folders: readonly string[], hasRules = true) =>
  createRuleFolderTest({ listFolders: () => folders, hasRules: () => hasRules });

test("rules count in the listed folders and below, where links lead", async () => {
  await using place = await openPlace();
  await symlink(place.elsewhere, join(place.work, "away"));
  await symlink(join(place.work, "src"), join(place.work, "inner"));
  await symlink(place.work, join(place.elsewhere, "back"));
  const isRuleFolder = open([place.work]);
  const answers = ["", "/src", "/inner", "/src/..", "/away", "/..", "/missing", "/src/../../elsewhere"].map((path) => [
    path,
    isRuleFolder(place.work + path, false),
  ]);
  expect(Object.fromEntries(answers)).toEqual({
    "": true,
    "/src": true,
    "/inner": true,
    "/src/..": true,
    "/away": false,
    "/..": false,
    "/missing": false,
    "/src/../../elsewhere": false,
  });
  expect(isRuleFolder(join(place.elsewhere, "back/src"), false)).toBe(true);
  expect(isRuleFolder(`${place.work}/away/../work`, false)).toBe(false); // no such folder: `away` is a link
});

test("rules for git count where git finds no repository, or one that was there when the thread opened", async () => {
  await using place = await openPlace();
  await makeRepository(join(place.work, "old/.git"));
  await makeRepository(join(place.work, "bare.git"));
  const isRuleFolder = open([place.work]);
  expect(["src", "old", "bare.git"].map((name) => isRuleFolder(join(place.work, name), true))).toEqual([
    true,
    true,
    true,
  ]);
  await makeRepository(join(place.work, "new/.git"));
  await makeRepository(join(place.work, "new-bare"));
  await mkdir(join(place.work, "pointed"));
  await writeFile(join(place.work, "pointed/.git"), `gitdir: ${place.work}/old/.git\n`);
  for (const name of ["new", "new-bare", "pointed"]) {
    expect([name, isRuleFolder(join(place.work, name), true)]).toEqual([name, false]);
    expect([name, isRuleFolder(join(place.work, name), false)]).toEqual([name, true]);
  }
});

test.each(["a copy", "another one", "a pointer", "a link"])(
  "a repository that was replaced by %s does not count",
  async (kind) => {
    await using place = await openPlace();
    const own = join(place.work, ".git");
    await makeRepository(own);
    await makeRepository(join(place.elsewhere, "evil"));
    const isRuleFolder = open([place.work]);
    expect(isRuleFolder(join(place.work, "src"), true)).toBe(true);
    await rename(own, join(place.elsewhere, "moved"));
    if (kind === "a copy") await cp(join(place.elsewhere, "moved"), own, { recursive: true });
    if (kind === "another one") await rename(join(place.elsewhere, "evil"), own);
    if (kind === "a pointer") await writeFile(own, `gitdir: ${place.elsewhere}/evil\n`);
    if (kind === "a link") await symlink(join(place.elsewhere, "moved"), own);
    expect(isRuleFolder(join(place.work, "src"), true)).toBe(false);
    await rm(own, { recursive: true });
    await rename(join(place.elsewhere, "moved"), own);
    expect(isRuleFolder(join(place.work, "src"), true)).toBe(true);
  },
);

test("a repository above that was created later does not allow a rule", async () => {
  await using place = await openPlace();
  const isRuleFolder = open([place.work]);
  expect(isRuleFolder(place.work, true)).toBe(true);
  await makeRepository(join(place.work, "..", ".git"));
  expect(isRuleFolder(place.work, true)).toBe(false);
});

test("without rules, nobody searches for repositories below, and none of them counts later", async () => {
  await using place = await openPlace();
  await makeRepository(join(place.work, ".git"));
  await makeRepository(join(place.work, "src/.git"));
  const isRuleFolder = open([place.work], false);
  expect([isRuleFolder(place.work, true), isRuleFolder(join(place.work, "src"), true)]).toEqual([true, false]);
});
