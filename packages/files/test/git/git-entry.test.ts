import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromNative, isGitFolder, kindOf, readCommonFolder, readGitEntry, toNative } from "@unroll/files";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openTemporaryFolder } from "../fixture/temporary-folder.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;

/** Names that a program confuses if it trims them or matches lines. */
const names = ["g", "g ", "g\t", "g\r", "g\u2028", "g\u00a0", " g", "g\udcff", "g\ufeff", "gitdir: g"];
const runs = 100;

/** The folder `work`, where the files are read, and repositories beside it and by way of a link in it. */
function createRepositories(base: string): string {
  for (const path of [".", "other"].flatMap((place) => names.map((name) => join(base, place, name)))) {
    for (const part of ["objects", "refs"]) mkdirSync(toNative(join(path, part)), { recursive: true });
    writeFileSync(toNative(join(path, "HEAD")), "ref: refs/heads/main\n");
  }
  mkdirSync(join(base, "other/deep"));
  mkdirSync(join(base, "work"));
  symlinkSync("../other/deep", join(base, "work/link"));
  return base;
}

/**
 * Asks git for each folder; null if git finds no valid repository there. One shell asks: a process of its own takes a
 * test longer than a shell.
 */
function askGit(base: string, folders: readonly string[], option: string): readonly (string | null)[] {
  const script = `option=$1; shift
for folder; do
  cd "$folder" && git rev-parse --path-format=absolute "$option" > ../"$folder.asked" 2> /dev/null || : > ../"$folder.asked"
  cd ..
done`;
  const env = {
    PATH: process.env["PATH"] ?? "",
    LANG: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: base,
    GIT_DISCOVERY_ACROSS_FILESYSTEM: "1",
  };
  expect(spawnSync("sh", ["-c", script, "sh", option, ...folders], { cwd: base, env }).status).toBe(0);
  return folders.map((folder) => {
    const said = fromNative(readFileSync(join(base, `${folder}.asked`)));
    return said === "" ? null : said.replace(/\n$/, "");
  });
}

/** Each with a link beside what is read in it. */
function createWorkFolders(base: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    mkdirSync(join(base, `work-${index}`));
    symlinkSync("../other/deep", join(base, `work-${index}`, "link"));
    return `work-${index}`;
  });
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
    using temporary = openTemporaryFolder();
    const base = createRepositories(temporary.path);
    const start = fc.constantFrom(...Array(20).fill("gitdir: "), "gitdir:", " gitdir: ", "x\ngitdir: ", "gitdir:  ");
    const texts = fc.sample(fc.tuple(start, pathText(base)), runs).map((parts) => parts.join(""));
    const folders = createWorkFolders(base, runs);
    texts.forEach((text, index) => writeFileSync(join(base, `work-${index}`, ".git"), toNative(text)));
    const theirs = askGit(base, folders, "--git-dir");
    const ours = folders.map((folder) => {
      const entry = readGitEntry(join(base, folder));
      return entry.type === "pointer" && entry.gitFolder !== null && isGitFolder(entry.gitFolder)
        ? entry.gitFolder
        : null;
    });
    expect(zip(texts, ours)).toEqual(zip(texts, theirs));
    expect(theirs.filter((read) => read !== null).length).toBeGreaterThanOrEqual(runs / 2);
  });

  it("the commondir of its folder", () => {
    using temporary = openTemporaryFolder();
    const base = createRepositories(temporary.path);
    const texts = fc.sample(pathText(base), runs);
    const folders = createWorkFolders(base, runs);
    texts.forEach((text, index) => {
      writeFileSync(join(base, `work-${index}`, "HEAD"), "ref: refs/heads/main\n");
      writeFileSync(join(base, `work-${index}`, "commondir"), toNative(text));
    });
    const theirs = askGit(base, folders, "--git-common-dir");
    const ours = folders.map((folder) => {
      // If git prints nothing, it found no repository, and ours may be any folder that is not one.
      const common = readCommonFolder(join(base, folder));
      return isGitFolder(common) && kindOf(join(common, "objects")) === "folder" ? common : null;
    });
    expect(zip(texts, ours)).toEqual(zip(texts, theirs));
    expect(theirs.filter((read) => read !== null).length).toBeGreaterThanOrEqual(runs / 2);
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
    using temporary = openTemporaryFolder();
    const base = createRepositories(temporary.path);
    make(base);
    expect(readGitEntry(join(base, "work"))).toEqual({
      type: "symlink",
      gitFolder: askGit(base, ["work"], "--absolute-git-dir")[0],
    });
  });
});

function zip(texts: readonly string[], read: readonly (string | null)[]): readonly object[] {
  return texts.map((text, index) => ({ text, read: read[index] }));
}
