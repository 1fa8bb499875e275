import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempDisposableSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kindOf } from "../../src/files/path-facts.ts";
import { fromNative, toNative } from "../../src/files/native-path.ts";
import { isGitFolder, readCommonFolder, readGitEntry } from "../../src/git/git-folder.ts";
import { gitIdentity } from "../fixture/run-on-host.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;

/** What a program that trims, or matches lines, takes one of for another. */
const names = ["g", "g ", "g\t", "g\r", "g\u2028", "g\u00a0", " g", "g\udcff", "g\ufeff", "gitdir: g"];
const runs = 100;

/** The folder `work`, where the files are read, and repositories beside it and by way of a link in it. */
function createRepositories(folder: string): string {
  const base = realpathSync(folder);
  for (const path of [".", "other"].flatMap((place) => names.map((name) => join(base, place, name)))) {
    for (const part of ["objects", "refs"]) mkdirSync(toNative(join(path, part)), { recursive: true });
    writeFileSync(toNative(join(path, "HEAD")), "ref: refs/heads/main\n");
  }
  mkdirSync(join(base, "other/deep"));
  mkdirSync(join(base, "work"));
  symlinkSync("../other/deep", join(base, "work/link"));
  return base;
}

/** Null where git takes it for no repository, as it does with any fault in it. */
function askGit(cwd: string, option: string): string | null {
  const environment = { ...gitIdentity, GIT_CEILING_DIRECTORIES: dirname(cwd), GIT_DISCOVERY_ACROSS_FILESYSTEM: "1" };
  const { status, stdout } = spawnSync("git", ["rev-parse", "--path-format=absolute", option], {
    cwd,
    env: environment,
  });
  return status === 0 ? fromNative(stdout).replace(/\n$/, "") : null;
}

/** Mostly whole; with a flaw now and then. */
function pathText(base: string): fc.Arbitrary<string> {
  const folder = fc.constantFrom("../", `${base}/`, "./../", "link/../", "../work/link/../../", "..//");
  const whole = fc.constantFrom("\n", "", "\r\n", "\n\n\r", "\0", "\0x\n");
  const flawed = fc.constantFrom("\n\0", " ", " \n", "\u2028", "\u2028\n", "\t\n");
  const end = fc.oneof({ arbitrary: whole, weight: 8 }, flawed);
  return fc.tuple(folder, fc.constantFrom(...names), end).map((parts) => parts.join(""));
}

describe.skipIf(!hasGit)("a file that leads git elsewhere is read as git reads it:", () => {
  it("the .git of a linked work tree", () => {
    using temporary = mkdtempDisposableSync(join(tmpdir(), "unroll-git-"));
    const base = createRepositories(temporary.path);
    const work = join(base, "work");
    const start = fc.constantFrom(...Array(20).fill("gitdir: "), "gitdir:", " gitdir: ", "x\ngitdir: ", "gitdir:  ");
    let accepted = 0;
    fc.assert(
      fc.property(start, pathText(base), (prefix, path) => {
        writeFileSync(join(work, ".git"), toNative(prefix + path));
        const theirs = askGit(work, "--git-dir");
        if (theirs !== null) accepted += 1;
        const entry = readGitEntry(work);
        const ours = entry.type === "pointer" && entry.gitFolder !== null && isGitFolder(entry.gitFolder);
        expect(ours ? entry.gitFolder : null).toBe(theirs);
      }),
      { numRuns: runs },
    );
    expect(accepted).toBeGreaterThanOrEqual(runs / 2);
  });

  it("the commondir of its folder", () => {
    using temporary = mkdtempDisposableSync(join(tmpdir(), "unroll-git-"));
    const base = createRepositories(temporary.path);
    const work = join(base, "work");
    writeFileSync(join(work, "HEAD"), "ref: refs/heads/main\n");
    let accepted = 0;
    fc.assert(
      fc.property(pathText(base), (path) => {
        writeFileSync(join(work, "commondir"), toNative(path));
        const theirs = askGit(work, "--git-common-dir");
        if (theirs !== null) accepted += 1;
        // Where git says nothing, it found no repository: then ours may be any folder that is none.
        const ours = readCommonFolder(work);
        expect(isGitFolder(ours) && kindOf(join(ours, "objects")) === "folder" ? ours : null).toBe(theirs);
      }),
      { numRuns: runs },
    );
    expect(accepted).toBeGreaterThanOrEqual(runs / 2);
  });

  it.each([
    ["a link to it", (base: string) => symlinkSync("../g", join(base, "work/.git"))],
    [
      "a link to a file that names it",
      (base: string) => {
        writeFileSync(join(base, "other/deep/p"), "gitdir: ../g");
        symlinkSync("link/p", join(base, "work/.git"));
      },
    ],
  ])("%s", (_, make) => {
    using temporary = mkdtempDisposableSync(join(tmpdir(), "unroll-git-"));
    const base = createRepositories(temporary.path);
    make(base);
    expect(readGitEntry(join(base, "work"))).toEqual({
      type: "symlink",
      gitFolder: askGit(join(base, "work"), "--absolute-git-dir"),
    });
  });
});
