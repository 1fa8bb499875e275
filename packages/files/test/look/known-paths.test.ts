import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { kindOf, withKnownPaths, resolveIfAny } from "@unroll/files";
import { expect, test } from "vitest";
import { openTemporaryFolder } from "../fixture/temporary-folder.ts";

test("the looks of one piece of work see one moment, and those after it the next", () => {
  using folder = openTemporaryFolder();
  const path = join(folder.path, "new");
  const look = (): readonly unknown[] => [kindOf(path), resolveIfAny(path)];
  const seen = withKnownPaths(() => {
    const before = look();
    mkdirSync(path);
    return [before, look(), withKnownPaths(look)];
  });
  expect(seen).toEqual(Array(3).fill(["missing", null]));
  expect(look()).toEqual(["folder", path]);
  expect(() => withKnownPaths(() => rmdirSync(folder.path))).toThrow("ENOTEMPTY");
  rmdirSync(path);
  expect(look()).toEqual(["missing", null]);
});
