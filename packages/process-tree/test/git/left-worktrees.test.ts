import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtempDisposable, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { listWorktrees, openWorktree, removeWorktree } from "@unroll/process-tree";
import { expect, test } from "vitest";

const env = { PATH: process.env["PATH"] ?? "" };

function git(folder: string, ...args: readonly string[]): string {
  const own = ["-c", "user.name=test", "-c", "user.email=test@example.org"];
  return execFileSync("git", [...own, ...args], { cwd: folder, encoding: "utf8", env, stdio: "pipe" });
}

async function openRepository() {
  const folder = await mkdtempDisposable(join(await realpath(tmpdir()), "unroll-worktrees-test-"));
  const work = join(folder.path, "work");
  await mkdir(work);
  for (const name of ["a.txt", "b.txt"]) await writeFile(join(work, name), "one\n");
  git(work, "init", "-q", "-b", "main");
  git(work, "add", ".");
  git(work, "commit", "-qm", "First");
  const places = { env, cwd: work, projects: [], homeDirectory: folder.path };
  const left = join(folder.path, ".local/share/unroll/worktrees");
  return {
    places,
    work,
    treeOf: (name: string): string => join(left, name, "work"),
    homeOf: (name: string): string => join(left, name),
    /** Makes one that nobody uses. */
    async leave(name: string): Promise<string> {
      const opened = await openWorktree(places, name);
      if (opened.type === "failed") throw new Error(opened.message);
      opened.release();
      return opened.tree;
    },
    branches: (): readonly string[] => git(work, "branch", "--format=%(refname:short)").trim().split("\n"),
    trees: (): readonly string[] =>
      [...git(work, "worktree", "list", "--porcelain").matchAll(/^worktree (.+)$/gm)].map(([, path = ""]) => path),
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}

test("a work tree is in use until its process is killed; then it is unused, and goes with its branch", async () => {
  await using world = await openRepository();
  const { places, work } = world;
  const script = join(import.meta.dirname, "../fixture/hold-worktree.ts");
  const args = ["--conditions=@unroll/source", script, places.homeDirectory, work, "held"];
  const holder = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [made] = (await once(holder.stdout, "data")) as [Buffer];
  const tree = world.treeOf("held");
  expect(made.toString()).toBe(`${tree}\n`);
  const used = { name: "held", tree, state: "in use", reason: null };
  expect(await listWorktrees(places)).toEqual([used]);
  expect(await removeWorktree("held", true, places)).toEqual({ ...used, isRemoved: false });
  holder.kill("SIGKILL");
  await once(holder, "close");
  expect(await listWorktrees(places)).toEqual([{ ...used, state: "unused" }]);
  expect(await removeWorktree("held", false, places)).toEqual({ ...used, state: "unused", isRemoved: true });
  expect([world.branches(), world.trees(), existsSync(world.homeOf("held"))]).toEqual([["main"], [work], false]);
});

test("one with changes goes only by force: a new file, a changed one, or a commit that no other branch has", async () => {
  await using world = await openRepository();
  const { places, work } = world;
  const trees = [await world.leave("commit"), await world.leave("edit"), await world.leave("new")];
  const [commit = "", edit = "", added = ""] = trees;
  await writeFile(join(edit, "a.txt"), "two\n");
  await writeFile(join(added, "c.txt"), "new\n");
  await writeFile(join(commit, "a.txt"), "two\n");
  git(commit, "commit", "-qam", "Second");
  const open = "Not all of it is committed.";
  const reasons = ["It has commits that no other branch has.", open, open];
  const left = ["commit", "edit", "new"].map((name, at) => ({
    name,
    tree: trees[at],
    state: "changed",
    reason: reasons[at],
  }));
  expect(await listWorktrees(places)).toEqual(left);
  for (const each of left)
    expect(await removeWorktree(each.name, false, places)).toEqual({ ...each, isRemoved: false });
  expect(world.trees()).toEqual([work, ...trees]);
  git(work, "merge", "-q", "unroll/commit");
  expect(await removeWorktree("commit", false, places)).toMatchObject({ state: "unused", isRemoved: true });
  for (const name of ["edit", "new"])
    expect(await removeWorktree(name, true, places)).toMatchObject({ isRemoved: true });
  expect([world.branches(), world.trees(), await listWorktrees(places)]).toEqual([["main"], [work], []]);
});

test("a patch has new files with any name, and for it no program runs that a repository in the tree names", async () => {
  await using world = await openRepository();
  const { places, work } = world;
  git(work, "update-index", "--add", "--cacheinfo", `160000,${git(work, "rev-parse", "HEAD").trim()},module`);
  git(work, "commit", "-qm", "Second");
  const opened = await openWorktree(places, "patched");
  if (opened.type === "failed") throw new Error(opened.message);
  const { tree } = opened;
  for (const name of ["module", "full", "empty"]) await mkdir(join(tree, name), { recursive: true });
  git(tree, "clone", "-q", work, "module");
  git(join(tree, "module"), "reset", "-q", "--hard", "HEAD~"); // as recorded, so git would look for changes in it
  git(tree, "clone", "-q", work, "full");
  git(join(tree, "empty"), "init", "-q");
  const names = ["-x", "*", "a\nb", "ü", ...(process.platform === "linux" ? [Buffer.from([0x6d, 0xff])] : [])];
  for (const name of names) await writeFile(Buffer.concat([Buffer.from(`${tree}/`), Buffer.from(name)]), "new\n");
  for (const name of ["module", "full"]) {
    const repository = join(tree, name);
    await writeFile(join(tree, name, "run"), `#!/bin/sh\ntouch '${work}/ran'\n`, { mode: 0o755 });
    await writeFile(join(repository, ".git/info/attributes"), "* filter=run\n");
    for (const key of ["core.fsmonitor", "filter.run.clean"]) git(repository, "config", key, join(repository, "run"));
    await writeFile(join(repository, "a.txt"), "two\n");
  }
  const patch = await opened.savePatch();
  await opened.close();
  expect(patch).toMatchObject({ type: "saved", nested: ["empty", "full"] });
  expect(existsSync(join(work, "ran"))).toBe(false);
  git(tree, "status"); // a git that looks into them runs it
  expect(existsSync(join(work, "ran"))).toBe(true);
  git(work, "apply", join(world.homeOf("patched"), "changes.patch"));
  const made = readdirSync(work, { encoding: "buffer" }).map((name) => name.toString("hex"));
  for (const name of names) expect(made).toContain(Buffer.from(name).toString("hex"));
  expect(readdirSync(world.homeOf("patched")).toSorted()).toEqual(["changes.patch", "lock", "work"]);
});

test("a patch whose new files cannot be listed or named is a fault, and no patch without them", async () => {
  await using world = await openRepository();
  const opened = await openWorktree(world.places, "faulty");
  if (opened.type === "failed") throw new Error(opened.message);
  await writeFile(join(opened.tree, "new.txt"), "new\n");
  const list = join(world.homeOf("faulty"), "new-files");
  await mkdir(list);
  const unnamed = await opened.savePatch();
  await rm(list, { recursive: true });
  await writeFile(join(opened.tree, ".git"), "gitdir: elsewhere\n");
  const unlisted = await opened.savePatch();
  await opened.close();
  expect([unnamed, unlisted]).toEqual([
    { type: "failed", kind: "output", message: expect.stringContaining("new-files cannot be written: ") as string },
    { type: "failed", kind: "output", message: expect.stringContaining("not a git repository") as string },
  ]);
});

test("one that a killed git did not finish is unused, and is made again where its run continues", async () => {
  await using world = await openRepository();
  const { places, work } = world;
  const tree = await world.leave("cut");
  // as git leaves it when it is killed while it writes the files
  await writeFile(join(work, ".git/worktrees", basename(tree), "locked"), "initializing");
  await rm(join(tree, "b.txt"));
  expect(await listWorktrees(places)).toEqual([
    { name: "cut", tree, state: "unused", reason: "It was never finished." },
  ]);
  expect([await world.leave("cut"), existsSync(join(tree, "b.txt"))]).toEqual([tree, true]);
  expect(git(tree, "status", "--porcelain")).toBe("");
  await writeFile(join(work, ".git/worktrees", basename(tree), "locked"), "initializing");
  await rm(join(tree, ".git"));
  await rm(join(tree, "a.txt"));
  await rm(join(tree, "b.txt"));
  expect([await world.leave("cut"), existsSync(join(tree, "b.txt"))]).toEqual([tree, true]);
  await mkdir(world.homeOf("begun"));
  expect(await removeWorktree("begun", false, places)).toMatchObject({ tree: null, state: "unused", isRemoved: true });
  expect(await removeWorktree("cut", false, places)).toMatchObject({ state: "unused", isRemoved: true });
});

test("one whose repository is gone stays unless it is forced", async () => {
  await using world = await openRepository();
  const { places, work } = world;
  const tree = await world.leave("lost");
  await rm(work, { recursive: true });
  await mkdir(work);
  const [lost] = await listWorktrees(places);
  expect(lost).toMatchObject({ name: "lost", tree, state: "unknown" });
  expect(lost?.reason).toContain("git does not find its repository");
  expect(await removeWorktree("lost", false, places)).toMatchObject({ isRemoved: false });
  expect(await removeWorktree("lost", true, places)).toMatchObject({ isRemoved: true });
  expect(existsSync(world.homeOf("lost"))).toBe(false);
});
