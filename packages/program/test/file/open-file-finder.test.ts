import { execFileSync } from "node:child_process";
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type FileFinder, openFileFinder } from "@unroll/program";
import { expect, test } from "vitest";

const { signal } = new AbortController();
const env = { PATH: process.env["PATH"] };

function findAll(finder: FileFinder, letters: string): readonly string[] {
  const search = finder.search(letters, 8);
  while (search.step() === "more");
  return search.found.map(({ path }) => path);
}

test("a file is found by a few letters of its path, also where they stand far apart", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-finder-test-"));
  const names = ["packages/screen/src/frame/frame-loop.ts", "packages/screen/src/frame/paint-live.ts", "loop.md"];
  for (const name of [...names, "src/FileIndex.ts", "src/fan/in.ts", ".hidden/loop.ts", "node_modules/loop.ts"]) {
    await mkdir(dirname(join(folder.path, name)), { recursive: true });
    await writeFile(join(folder.path, name), "");
  }
  const finder = openFileFinder(folder.path, { hasFolders: false, env, signal });
  await finder.listed;
  const found = ["floop", "screen/pl", "loop", "LOOP", "fileind", "live frame", "loopz", "ppol"].map((letters) =>
    findAll(finder, letters),
  );
  expect(found).toEqual([
    ["packages/screen/src/frame/frame-loop.ts"],
    ["packages/screen/src/frame/paint-live.ts"],
    ["loop.md", "packages/screen/src/frame/frame-loop.ts"],
    ["loop.md", "packages/screen/src/frame/frame-loop.ts"],
    ["src/FileIndex.ts"],
    ["packages/screen/src/frame/paint-live.ts"],
    [],
    [],
  ]);
  expect(findAll(finder, "").toSorted()).toEqual([...names, "src/FileIndex.ts", "src/fan/in.ts"].toSorted());
});

test("a found file says how well it was found, and where; folders are found where they are wanted", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-finder-test-"));
  await mkdir(join(folder.path, "lib/loop"), { recursive: true });
  await writeFile(join(folder.path, "lib/loop/lo.ts"), "");
  const finder = openFileFinder(folder.path, { hasFolders: true, env, signal });
  await finder.listed;
  const search = finder.search("lib/loop", 8);
  expect(search.step()).toBe("all");
  expect(search.found).toEqual([
    { path: "lib/loop", isFolder: true, score: expect.closeTo(0.9, 1), places: [0, 1, 2, 3, 4, 5, 6, 7] },
    { path: "lib/loop/lo.ts", isFolder: false, score: expect.closeTo(0.8, 1), places: [0, 1, 2, 3, 4, 5, 6, 7] },
  ]);
});

test("many files are looked through some at a time, and for more letters only those that were found before", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-finder-test-"));
  const git = (input: string, ...args: readonly string[]): string =>
    execFileSync("git", args, { cwd: folder.path, input, encoding: "utf8" });
  git("", "init", "-q");
  const blob = git("", "hash-object", "-w", "--stdin").trim();
  const paths = Array.from({ length: 5000 }, (_, at) => `src/area-${at % 50}/file-${at}.ts`);
  // they are in git's index alone, and one is not merged
  const conflict = [1, 2, 3].map((stage) => `100644 ${blob} ${stage}\tsrc/both.ts\n`);
  git(paths.map((path) => `100644 ${blob} 0\t${path}\n`).join("") + conflict.join(""), "update-index", "--index-info");
  const finder = openFileFinder(folder.path, { hasFolders: false, env, signal });
  const early = finder.search("src", 1);
  expect(early.step()).toBe("unlisted");
  await finder.listed;
  const count = (letters: string): number => {
    const search = finder.search(letters, 1);
    for (let steps = 1; ; steps += 1) if (search.step() === "all") return steps;
  };
  expect([count("file"), count("file-49"), count("file-499"), count("fil")]).toEqual([6, 5, 1, 6]);
  expect([findAll(finder, "file-4999"), findAll(finder, "both"), findAll(finder, "")]).toEqual([
    ["src/area-49/file-4999.ts"],
    ["src/both.ts"],
    findAll(finder, "").slice(0, 8),
  ]);
});

test("where there is nothing to be listed, nothing is found", async () => {
  const finder = openFileFinder(join(tmpdir(), "unroll-no-such-folder"), { hasFolders: false, env, signal });
  await finder.listed;
  expect([findAll(finder, ""), findAll(finder, "a")]).toEqual([[], []]);
});
