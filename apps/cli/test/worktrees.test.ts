import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openWorktree } from "@unroll/process-tree";
import { expect, test } from "vitest";
import { openInProcessWorld } from "./run-in-process.ts";

const env = { PATH: process.env["PATH"] ?? "" };

test("worktrees list shows what runs left; remove takes unused ones, and one with changes only by name and with --force", async () => {
  await using world = await openInProcessWorld();
  const { home, work } = world;
  const run = (...args: readonly string[]): ReturnType<typeof world.run> => world.run(args, { env });
  const none = "There are no worktrees of runs or sub-agents.\n";
  expect(await run("worktrees", "list")).toEqual({ exitCode: 0, stdout: none, stderr: "" });
  expect(await run("worktrees", "remove")).toEqual({ exitCode: 0, stdout: none, stderr: "" });
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
      cwd: work,
      env,
      encoding: "utf8",
    });
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "First");
  for (const name of ["edited", "plain"]) {
    const opened = await openWorktree({ env, cwd: work, projects: [], homeDirectory: home }, name);
    if (opened.type === "failed") throw new Error(opened.message);
    if (name === "edited") await writeFile(join(opened.tree, "new"), "x");
    opened.release();
  }
  const [edited, plain] = ["edited", "plain"].map((name) => join(home, ".local/share/unroll/worktrees", name, "work"));
  expect((await run("worktrees", "list")).stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
    ["edited", "changed", edited, "Not all of it is committed."],
    ["plain", "unused", plain],
    [""],
  ]);
  const json = (await run("worktrees", "list", "--json")).stdout.trim().split("\n");
  expect(json.map((line) => JSON.parse(line) as unknown)).toEqual([
    { name: "edited", tree: edited, state: "changed", reason: "Not all of it is committed." },
    { name: "plain", tree: plain, state: "unused", reason: null },
  ]);
  expect(await run("worktrees", "remove", "--force")).toMatchObject({ exitCode: 2, stdout: "" });
  expect(await run("worktrees", "remove", "plain", "other")).toMatchObject({
    exitCode: 2,
    stderr: "unroll: There is no worktree other: unroll worktrees list shows them.\n",
  });
  expect(await run("worktrees", "remove", "edited")).toMatchObject({ exitCode: 1 });
  const removed = await run("worktrees", "remove");
  expect(removed.exitCode).toBe(0);
  expect(removed.stdout.replaceAll(/\s+/g, " ")).toBe(
    `kept ${edited}: changed. Not all of it is committed. removed ${plain} Removed 1 worktree. `,
  );
  expect([existsSync(edited ?? ""), existsSync(plain ?? "")]).toEqual([true, false]);
  expect(await run("worktrees", "remove", "edited", "--force")).toMatchObject({ exitCode: 0 });
  expect(git("branch", "--list", "unroll/*")).toBe("");
});
