import { describe, expect, it } from "vitest";
import { createSandboxFixture, whyNoSandbox } from "../fixture/sandbox.ts";

/** A repository with a linked worktree and a submodule, all below the base. */
const setup = `
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always
git init -q -b main library && cd library && echo l > l && git add l && git commit -qm l && cd ..
git init -q -b main project && cd project && echo a > a && git add a && git commit -qm a && git branch feature
git submodule --quiet add "$PWD/../library" library && git commit -qm submodule
git worktree add -q ../linked -b linked`;

const dailyWork = `set -e
start=$(git branch --show-current)
echo 1 > new && git add new && git commit -qm one
git branch side && git switch -q side
echo 2 >> new && git stash -q && git stash pop -q && git stash -q && git stash drop -q
echo 3 > three && git add three && git commit -qm three
git switch -q "$start" && echo 4 > four && git add four && git commit -qm four
git switch -q side && git rebase -q "$start"
git switch -q "$start" && git merge -q side && git branch -D side 2>&1
git tag v1 && git pack-refs --all && git branch again && git branch -D again 2>&1
git log --format=%s -3
test -z "$(git status --porcelain)"`;

describe.skipIf(whyNoSandbox !== null).concurrent("git works in the sandbox", () => {
  it.each([
    ["a plain repository", "project"],
    ["a linked worktree", "linked"],
    ["a submodule, with its parent outside", "project/library"],
    ["a folder inside a repository", "project/sub"],
  ])("in %s", async (_, workspace) => {
    await using sandbox = await createSandboxFixture({ setup, workspace });
    const { outcome } = await sandbox.run(dailyWork);
    expect(outcome).toMatchObject({ type: "exited", exitCode: 0 });
    expect(
      await sandbox.host("git log --format=%s -3 && git status --porcelain && git fsck --no-progress 2>&1"),
    ).toMatch(/^three\nfour\none\n/);
    expect(await sandbox.host("find $(git rev-parse --git-common-dir) -name '*.lock' -o -name '*.quarantined'")).toBe(
      "",
    );
  });

  it("in a submodule below the workspace", async () => {
    await using sandbox = await createSandboxFixture({ setup, workspace: "project" });
    const { outcome } = await sandbox.run(
      `cd library && git switch -q -c work && ${dailyWork} && cd .. && git add library && git commit -qm bump`,
    );
    expect(outcome).toMatchObject({ type: "exited", exitCode: 0 });
    expect(await sandbox.host("git log --format=%s -1; git -C library log --format=%s -1")).toBe("bump\nthree\n");
  });

  it("in a new repository below the workspace", async () => {
    await using sandbox = await createSandboxFixture();
    const { outcome } = await sandbox.run(
      `git init -q -b main sub && cd sub && echo 0 > z && git add z && git commit -qm zero && ${dailyWork}`,
    );
    expect(outcome).toMatchObject({ type: "exited", exitCode: 0 });
    expect(await sandbox.host("git -C sub log --format=%s -1")).toBe("three\n");
  });

  it("but not where the policy protects all of it", async () => {
    await using sandbox = await createSandboxFixture({
      setup,
      workspace: "project",
      settings: { git: "protected" },
    });
    const { outcome } = await sandbox.run("git commit -q --allow-empty -m x");
    expect(outcome).toMatchObject({
      type: "exited",
      exitCode: 128,
      denial: { kind: "filesystem", confidence: "certain" },
    });
  });

  it("and an empty folder of its name above, as another sandbox may have there, opens nothing", async () => {
    await using sandbox = await createSandboxFixture({ setup: "mkdir .git" });
    expect((await sandbox.run("exec 2>&1; touch ok ../.git/x; ls")).outcome).toMatchObject({
      exitCode: 0,
      output: { text: expect.stringMatching(/Read-only file system\nok\n$/) as string },
    });
  });

  it("and a pointer that its repository knows nothing of opens no folder", async () => {
    await using sandbox = await createSandboxFixture({
      setup: "git init -q victim && mkdir work && echo gitdir: $PWD/victim/.git > work/.git",
    });
    const { outcome } = await sandbox.run("git commit -q --allow-empty -m x; touch ../victim/.git/x");
    expect(outcome).toMatchObject({ type: "exited", exitCode: 1 });
    expect(await sandbox.host("ls ../victim/.git")).not.toMatch(/^x$/m);
  });
});
