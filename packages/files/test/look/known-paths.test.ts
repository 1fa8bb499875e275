import { mkdirSync, rmdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { kindOf, readEntries, readTextIfAny, resolveIfAny, withKnownPaths } from "@unroll/files";
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

test("a folder that was listed answers for its names and for what would lie in them, until the work ends", () => {
  using folder = openTemporaryFolder();
  const at = (name: string): string => join(folder.path, name);
  mkdirSync(at("folder"));
  writeFileSync(at("file"), "text");
  symlinkSync("file", at("link"));
  const names = ["folder", "file", "link", "missing", "missing/inner", "missing/inner/most"];
  const look = (): readonly unknown[] => [
    names.map((name) => kindOf(at(name))),
    names.map((name) => resolveIfAny(at(name))),
    names.map((name) => readTextIfAny(at(name))),
  ];
  const expected = [
    ["folder", "file", "symlink", "missing", "missing", "missing"],
    [at("folder"), at("file"), at("file"), null, null, null],
    [null, "text", "text", null, null, null],
  ];
  expect(look()).toEqual(expected);
  const seen = withKnownPaths(() => {
    readEntries(folder.path);
    mkdirSync(at("missing"));
    return look();
  });
  expect(seen).toEqual(expected);
  unlinkSync(at("link"));
  mkdirSync(at("link"));
  expect([kindOf(at("missing")), kindOf(at("link")), withKnownPaths(() => kindOf(at("link")))]).toEqual([
    "folder",
    "folder",
    "folder",
  ]);
});

test("a name that the list has in other case, or beside names in other scripts, is asked for by itself", () => {
  using folder = openTemporaryFolder();
  const kindLater = (name: string): string =>
    withKnownPaths(() => {
      readEntries(folder.path);
      writeFileSync(join(folder.path, name), "");
      return kindOf(join(folder.path, name));
    });
  expect(kindLater("first")).toBe("missing");
  writeFileSync(join(folder.path, "Config"), "");
  expect([kindLater("config"), kindLater("second")]).toEqual(["file", "missing"]);
  writeFileSync(join(folder.path, "\u00e9"), "");
  expect(kindLater("third")).toBe("file");
});
