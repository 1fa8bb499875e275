import { execFileSync } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { listReviewBranches, listReviewCommits } from "@unroll/program";

test("a review is against any branch but the one that is checked out, or of a commit of that", async () => {
  await using folder = await mkdtempDisposable(`${tmpdir()}/unroll-review-test-`);
  const env = { PATH: process.env["PATH"], HOME: folder.path };
  const place = { cwd: folder.path, env, signal: new AbortController().signal };
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: folder.path,
      env,
      encoding: "utf8",
    });
  expect(await listReviewBranches(place)).toEqual([]);
  git("init", "-q", "-b", "main");
  expect(await listReviewCommits(place)).toEqual([]);
  for (const subject of ["first", "second"]) git("commit", "-q", "--allow-empty", "-m", subject);
  git("branch", "feat/one+two");
  git("branch", "$(touch${IFS}x)"); // git takes it; a shell would, too
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
  // what the repository's own settings would run for signatures is not run
  git("config", "log.showSignature", "true");
  git("config", "gpg.program", "/nonexistent");
  const withoutTime = (list: Awaited<ReturnType<typeof listReviewCommits>>): readonly string[] =>
    list.map(({ name, description }) => `${name} ${description.replace(/\d+ seconds? ago|\d+ minutes? ago/, "now")}`);
  expect(withoutTime(await listReviewBranches(place)).toSorted()).toEqual(["feat/one+two now", "origin/main now"]);
  const ids = git("rev-list", "--abbrev-commit", "HEAD").trim().split("\n");
  expect(withoutTime(await listReviewCommits(place))).toEqual([`${ids[0]} second, now`, `${ids[1]} first, now`]);
});
