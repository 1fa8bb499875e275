import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findWorkTree, readGitFacts } from "@unroll/files";
import { expect, test } from "vitest";
import { openTemporaryFolder } from "../fixture/temporary-folder.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;

const setup = `
git init -q -b main work; cd work; git commit -q --allow-empty -m x
git remote add origin https://user:password@example.com/a.git; git remote set-url --add origin https://example.com/b.git
git branch feature/x; git worktree add -q ../linked feature/x; git worktree add -q --detach ../detached
mkdir -p deep/er; git init -q --separate-git-dir ../apart ../pointed; mkdir -p ../held/.git
cp -r . ../packed; cd ../packed; git pack-refs --all; cd ..
git -C work rev-parse HEAD`;

test.skipIf(!hasGit)("where a repository stands is read without git, wherever its folder is", () => {
  using folder = openTemporaryFolder();
  const identity = Object.fromEntries(
    ["AUTHOR", "COMMITTER"].flatMap((who) => [
      [`GIT_${who}_NAME`, "n"],
      [`GIT_${who}_EMAIL`, "e"],
    ]),
  );
  const env = { PATH: process.env["PATH"], HOME: folder.path, GIT_CONFIG_NOSYSTEM: "1", ...identity };
  const made = spawnSync("sh", ["-ec", setup], { cwd: folder.path, env, encoding: "utf8" });
  expect(made.status).toBe(0);
  const commit = made.stdout.trim();
  const repository = "https://example.com/a.git";
  const places = ["work", "work/deep/er", "packed", "linked", "detached", "pointed", "held"];
  const at = (place: string): string => join(folder.path, place);
  expect(places.map((place) => [place, readGitFacts(at(place))])).toEqual([
    ["work", { commit, branch: "main", repository }],
    ["work/deep/er", { commit, branch: "main", repository }],
    ["packed", { commit, branch: "main", repository }],
    ["linked", { commit, branch: "feature/x", repository }],
    ["detached", { commit, branch: null, repository }],
    ["pointed", { commit: null, branch: expect.any(String) as string, repository: null }],
    ["held", null],
  ]);
  expect(places.map((place) => findWorkTree(at(place)))).toEqual(
    ["work", "work", "packed", "linked", "detached", "pointed"].map(at).concat([null as never]),
  );
});

test("damaged parts are read as far as possible, and nothing blocks the reader", () => {
  using folder = openTemporaryFolder();
  const git = join(folder.path, ".git");
  for (const part of ["objects", "refs/heads"]) mkdirSync(join(git, part), { recursive: true });
  writeFileSync(join(git, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(git, "config"), '[remote "origin"]\nurl = "x\n');
  writeFileSync(join(git, "packed-refs"), Buffer.alloc(1024 * 1024 + 1, "x"));
  expect(readGitFacts(folder.path)).toEqual({ commit: null, branch: "main", repository: null });
});
