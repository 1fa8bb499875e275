import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFileFinder } from "@unroll/program";
import { expect, test } from "vitest";

test("a file is found by a few letters of its path, also where they stand far apart", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-finder-test-"));
  await mkdir(join(folder.path, "packages/screen/src/frame"), { recursive: true });
  for (const name of ["frame-loop.ts", "paint-live.ts"])
    await writeFile(join(folder.path, "packages/screen/src/frame", name), "");
  await writeFile(join(folder.path, "loop.md"), "");
  const finder = await openFileFinder(folder.path, { hasFolders: false, signal: new AbortController().signal });
  const find = (letters: string): readonly string[] => finder.find(letters, 8).map(({ path }) => path);
  expect([find("floop"), find("screen/pl"), find("loop"), find("loopz")]).toEqual([
    ["packages/screen/src/frame/frame-loop.ts"],
    ["packages/screen/src/frame/paint-live.ts"],
    ["loop.md", "packages/screen/src/frame/frame-loop.ts"],
    [],
  ]);
});
