import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFileIndex } from "../src/device/file-index.ts";

test("files are listed on request and again after a while; meanwhile the old list is used", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-index-test-"));
  await writeFile(join(folder.path, "one.txt"), "");
  let now = 0;
  let hear = (): void => {};
  const files = createFileIndex({
    places: () => ({ cwd: folder.path, env: { PATH: process.env["PATH"] } }),
    clock: {
      elapsed: () => now,
      setTimer(_, run) {
        const timer = setImmediate(run);
        return () => clearImmediate(timer);
      },
    },
    signal: new AbortController().signal,
    onMore: () => hear(),
  });
  /** Asks again after each change until the answer is `wanted`. */
  const becomes = async (letters: string, wanted: readonly string[]): Promise<void> => {
    while (JSON.stringify(files.find(letters)) !== JSON.stringify(wanted)) {
      await new Promise<void>((resolve) => (hear = resolve));
    }
  };
  expect(files.find("txt")).toBe(null);
  await becomes("txt", ["one.txt"]);
  await becomes("two", []);
  await writeFile(join(folder.path, "two.txt"), "");
  now += 4000;
  expect(files.find("two")).toEqual([]);
  now += 2000;
  expect(files.find("one")).toEqual(["one.txt"]);
  await becomes("two", ["two.txt"]);
});
