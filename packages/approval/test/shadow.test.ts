import { mkdtempDisposable, mkdir, realpath, rename, symlink, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createShadowTest } from "@unroll/approval/node";
import { createPathMemory, noPathMemory } from "@unroll/files";
import { expect, test } from "vitest";

test.for([
  ["is remembered", createPathMemory],
  ["is asked about each time", () => noPathMemory],
] as const)("where PATH %s, a program that a command puts before a known one is seen", async ([, createMemory]) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-shadow-"));
  const root = await realpath(folder.path);
  const at = (name: string): string => join(root, name);
  for (const name of ["system", "work", "work/own"]) await mkdir(at(name));
  for (const name of ["system/ls", "work/own/ls"]) await writeFile(at(name), "");
  await symlink("../system", at("work/bin"));
  await symlink("work/bin", at("hop"));
  await symlink("system", at("plain"));
  const paths = createMemory();
  paths.except([at("work")]);
  const isShadowed = (path: string, name = "ls"): boolean =>
    createShadowTest({ path, folders: [at("work")], realFolders: [at("work")], paths })(name);
  const see = (): readonly boolean[] =>
    ["system", "plain", "work/bin", "hop", "work/own"].map((name) => isShadowed(at(name)));
  expect([see(), see()]).toEqual(Array(2).fill([false, false, false, false, true]));
  await unlink(at("work/bin"));
  await symlink("own", at("work/bin"));
  expect(see()).toEqual([false, false, true, true, true]);
  expect(isShadowed(at("work/later"))).toBe(false);
  await rename(at("work/own"), at("work/later"));
  expect([isShadowed(at("work/later")), isShadowed(at("work/later"), "cat"), isShadowed("bin:own")]).toEqual([
    true,
    false,
    false,
  ]);
});
