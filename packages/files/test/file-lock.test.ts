import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { FileLockError, makeLockFile, tryToLock } from "@unroll/files";
import { expect, test } from "vitest";
import { openTemporaryFolder } from "./fixture/temporary-folder.ts";

test("a lock has one holder at a time, and is free when that one lets go", async () => {
  using folder = openTemporaryFolder();
  const path = join(folder.path, "lock");
  makeLockFile(path);
  makeLockFile(path); // one that is there stays
  expect(statSync(path)).toMatchObject({ mode: 0o100_600, size: 0 });
  const first = await tryToLock(path);
  expect(first).not.toBeNull();
  expect(await tryToLock(path)).toBeNull();
  first?.[Symbol.dispose]();
  using second = await tryToLock(path);
  expect(second).not.toBeNull();
});

test("a path that is not a regular file cannot be locked, and the error says so", async () => {
  using folder = openTemporaryFolder();
  const path = join(folder.path, "lock");
  mkdirSync(path);
  await expect(tryToLock(path)).rejects.toThrow(FileLockError);
});
