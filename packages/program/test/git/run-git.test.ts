import { execFileSync } from "node:child_process";
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readWorkTreeDiff, runGit } from "@unroll/process-tree";
import { openFileFinder } from "@unroll/program";
import { expect, test } from "vitest";

const { signal } = new AbortController();

/** With a commit that has its name, on a branch that has it, and a file that has it and is changed. Returns its folder. */
async function createRepository(parent: string, name: string): Promise<string> {
  const folder = join(parent, name);
  await mkdir(folder);
  const git = (...args: readonly string[]): unknown =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: folder });
  git("init", "-q", "-b", name);
  await writeFile(join(folder, name), "");
  git("add", ".");
  git("commit", "-qm", name);
  await writeFile(join(folder, name), "changed\n");
  return folder;
}

test("every git that is started asks the repository of its folder, also where a hook of another one started the program", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-git-test-"));
  const here = await createRepository(folder.path, "here");
  const there = await createRepository(folder.path, "there");
  const env = {
    PATH: process.env["PATH"],
    GIT_DIR: join(there, ".git"),
    GIT_WORK_TREE: there,
    GIT_INDEX_FILE: join(there, ".git/index"),
  };
  const place = { cwd: here, env, signal };
  const finder = openFileFinder(here, { hasFolders: false, env, signal });
  await finder.listed;
  const seen = {
    top: (await runGit(["rev-parse", "--show-toplevel"], place)).stdout,
    files: finder.search("", 9).found.map(({ path }) => path),
    diff: await readWorkTreeDiff(place),
  };
  expect(seen).toEqual({
    top: `${here}\n`,
    files: ["here"],
    diff: { type: "read", text: expect.stringContaining("+++ b/here") as string },
  });
});

test("a git that is not there, or whose folder is not, has no exit code", async () => {
  const places = [
    { cwd: tmpdir(), env: { PATH: "" }, signal },
    { cwd: join(tmpdir(), "unroll-no-such-folder"), env: { PATH: process.env["PATH"] }, signal },
  ];
  const said = await Promise.all(places.map((place) => runGit(["--version"], place)));
  expect(said).toEqual([
    { code: null, stdout: "", stderr: "There is no program git on PATH." },
    { code: null, stdout: "", stderr: "" },
  ]);
});
