import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statSync } from "node:fs";
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

/** Which locks another process cannot take. Earlier versions of unroll took each by a connection of its own, as this does. */
function findHeld(paths: readonly string[]): readonly boolean[] {
  const script = `
    const { DatabaseSync } = require("node:sqlite");
    const isHeld = (path) => {
      try {
        new DatabaseSync(path, { timeout: 0 }).exec("BEGIN EXCLUSIVE");
        return false;
      } catch (error) {
        if (error.errcode === 5) return true;
        throw error;
      }
    };
    console.log(JSON.stringify(process.argv.slice(1).map(isHeld)));`;
  return JSON.parse(
    execFileSync(process.execPath, ["-e", script, ...paths], { encoding: "utf8" }),
  ) as readonly boolean[];
}

test("a process holds many locks, and lets each go by itself", async () => {
  using folder = openTemporaryFolder();
  const paths = Array.from({ length: 23 }, (_, index) => join(folder.path, `lock '${index}'`));
  for (const path of paths) makeLockFile(path);
  const locks = await Promise.all(paths.map(tryToLock));
  expect(locks).not.toContain(null);
  expect(findHeld(paths)).toEqual(paths.map(() => true));
  rmSync(paths[1] ?? ""); // others are held, and can be taken, all the same
  for (const at of [0, 1, 12]) locks[at]?.[Symbol.dispose]();
  const left = paths.toSpliced(1, 1);
  expect(findHeld(left)).toEqual(left.map((path) => path !== paths[0] && path !== paths[12]));
  using again = await tryToLock(paths[12] ?? "");
  expect(again).not.toBeNull();
  expect(findHeld(left)).toEqual(left.map((path) => path !== paths[0]));
  expect(paths.slice(2).map((path) => statSync(path).size)).toEqual(paths.slice(2).map(() => 0));
  for (const lock of locks) lock?.[Symbol.dispose](); // again, for some: that does nothing
  again?.[Symbol.dispose]();
  expect(findHeld(left)).toEqual(left.map(() => false));
});

test("a path that is not a regular file cannot be locked, and the error says so", async () => {
  using folder = openTemporaryFolder();
  const path = join(folder.path, "lock");
  mkdirSync(path);
  await expect(tryToLock(path)).rejects.toThrow(FileLockError);
});
