import { execFileSync } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { readWorkTreeDiff } from "@unroll/process-tree";
import { openFileFinder } from "@unroll/program";
import { expect, onTestFinished, test } from "vitest";

const { signal } = new AbortController();
const env = { PATH: process.env["PATH"] };

interface Repository {
  readonly top: string;
  readonly ran: string;
  readonly git: (...args: readonly string[]) => void;
}

/** With one changed file, and hooks and watchers that leave a file in `ran`. */
async function createRepository(): Promise<Repository> {
  const folder = await mkdtemp(join(tmpdir(), "unroll-diff-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [top, ran] = [join(folder, "work"), join(folder, "ran")];
  execFileSync("mkdir", [top, ran]);
  const own = ["-c", "user.name=test", "-c", "user.email=test@example.org"];
  const git = (...args: readonly string[]): void => void execFileSync("git", [...own, ...args], { cwd: top });
  git("init", "-q", "-b", "main");
  await writeFile(join(top, "a.txt"), "one\n");
  await writeFile(join(top, "b.txt"), "same\n");
  git("add", ".");
  git("commit", "-qm", "First");
  const hook = join(top, ".git/hooks/post-index-change");
  await writeFile(hook, `#!/bin/sh\ntouch ${ran}/hook\n`);
  await chmod(hook, 0o755);
  git("config", "core.fsmonitor", `touch ${ran}/watcher; false`);
  await writeFile(join(top, "a.txt"), "two\n");
  await utimes(join(top, "b.txt"), 1, 1); // the index is out of date
  return { top, ran, git };
}

test("a diff runs neither hooks nor watchers of the repository", async () => {
  const { top, ran } = await createRepository();
  const diff = await readWorkTreeDiff({ cwd: top, env, signal });
  expect(diff).toMatchObject({ type: "read", text: expect.stringContaining("-one\n+two\n") as string });
  expect(await readdir(ran)).toEqual([]);
});

test("new files of the whole repository are shown, with those that git cannot show by name", async () => {
  const { top } = await createRepository();
  await mkdir(join(top, "sub/own"), { recursive: true });
  execFileSync("git", ["init", "-q"], { cwd: join(top, "sub/own") });
  await writeFile(join(top, "sub/own/inner.txt"), "inner\n");
  await writeFile(join(top, "sub/new.txt"), "new\n");
  await writeFile(join(top, "top.txt"), "top\n");
  await writeFile(Buffer.from(`${top}/\xff.txt`, "latin1"), "text\n");
  const diff = await readWorkTreeDiff({ cwd: join(top, "sub"), env, signal });
  const lines = diff.type === "read" ? diff.text.split("\n") : [];
  expect(lines.filter((line) => /^(diff|\()/.test(line))).toEqual([
    "diff --git a/a.txt b/a.txt",
    "diff --git a/sub/new.txt b/sub/new.txt",
    "(new, but git cannot show it: sub/own/)",
    "diff --git a/top.txt b/top.txt",
    "(new, but git cannot show it: \u{fffd}.txt)",
  ]);
});

test("if a repository's own settings make git run filters, there is no diff, and the user gets the reason", async () => {
  const { top, ran, git } = await createRepository();
  git("config", "filter.x.clean", `touch ${ran}/filter; cat`);
  await writeFile(join(top, ".gitattributes"), "* filter=x\n");
  expect(await readWorkTreeDiff({ cwd: top, env, signal })).toEqual({
    type: "failed",
    message: expect.stringContaining("make git run programs (filter.x.clean)") as string,
  });
  expect(await readdir(ran)).toEqual([]);
});

test("a variable that names another file of settings hides none of its own", async () => {
  const { top, ran, git } = await createRepository();
  git("config", "filter.x.clean", `touch ${ran}/filter; cat`);
  await writeFile(join(top, ".gitattributes"), "* filter=x\n");
  const place = { cwd: top, env: { ...env, GIT_CONFIG: "/dev/null" }, signal };
  expect(await readWorkTreeDiff(place)).toMatchObject({ type: "failed" });
  expect(await readdir(ran)).toEqual([]);
});

test("finding files runs no program in a partial clone with missing objects", async () => {
  const { top, ran, git } = await createRepository();
  await mkdir(join(top, "far"));
  await mkdir(join(top, "near"));
  for (const file of ["far/a", "near/b"]) await writeFile(join(top, file), file);
  git("add", ".");
  git("commit", "-qm", "Two folders");
  git("sparse-checkout", "init", "--cone", "--sparse-index");
  git("sparse-checkout", "set", "near");
  const tree = execFileSync("git", ["rev-parse", "HEAD:far"], { cwd: top, encoding: "utf8" }).trim();
  await rm(join(top, ".git/objects", tree.slice(0, 2), tree.slice(2)));
  const settings = {
    "extensions.partialClone": "origin",
    "remote.origin.promisor": "true",
    "remote.origin.url": top,
    "remote.origin.uploadpack": `touch ${ran}/fetch; false`,
    "protocol.file.allow": "always",
  };
  for (const [name, value] of Object.entries(settings)) git("config", name, value);
  for (const name of await readdir(ran)) await rm(join(ran, name)); // what we did ourselves
  const finder = openFileFinder(top, { hasFolders: false, env, signal });
  await finder.listed;
  const search = finder.search("a.txt", 1);
  expect([search.step(), search.found]).toMatchObject(["all", [{ path: "a.txt" }]]);
  expect(await readdir(ran)).toEqual([]);
});

test.skipIf(userInfo().uid !== 0)(
  "a repository of another owner is named with the command that makes git use it (needs root, to give it away)",
  async () => {
    const { top } = await createRepository();
    await chown(top, 1234, 1234);
    await chown(join(top, ".git"), 1234, 1234);
    expect(await readWorkTreeDiff({ cwd: top, env, signal })).toEqual({
      type: "failed",
      message: `git does not use the repository of ${top}, because another user owns it. If you trust it: git config --global --add safe.directory ${top}`,
    });
  },
);
