import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { expect, test } from "vitest";
import { type ExecWorld, openExecWorld } from "./exec-world.ts";

const done = { items: [{ text: "Done." }] };
const command = (text: string) => ({ items: [{ call: "exec_command", arguments: { cmd: text } }] });
const task = { prompt: "Go", worktree: true, sandbox: "workspace-write" } as const;

function git(world: ExecWorld, ...args: readonly string[]): string {
  const own = ["-c", "user.name=test", "-c", "user.email=test@example.org"];
  return execFileSync("git", [...own, ...args], { cwd: world.work, encoding: "utf8" });
}

type Script = Extract<Parameters<typeof openExecWorld>[0], { readonly script: unknown }>["script"];

async function openRepository(script: Script): Promise<ExecWorld> {
  const world = await openExecWorld({ script, allowViolations: true });
  git(world, "init", "-q", "-b", "main");
  git(world, "config", "user.name", "test");
  git(world, "config", "user.email", "test@example.org");
  await writeFile(join(world.work, "a.txt"), "one\n");
  git(world, "add", ".");
  git(world, "commit", "-qm", "First");
  return world;
}

test.skipIf(!hasSandbox)(
  "a run in a worktree commits on its own branch, leaves the folder alone, and says how to take its work over",
  async () => {
    const work = command("cat a.txt > b.txt && git add . && git commit -qm Second");
    await using world = await openRepository({ turns: [work, done] });
    await writeFile(join(world.work, "a.txt"), "two\n");
    const { exitCode, stderr } = await world.run(task);
    expect(exitCode).toBe(0);
    const [, tree = "", branch = ""] = /^worktree: (\S+) on branch (\S+)$/m.exec(stderr) ?? [];
    expect(tree).toContain(join(world.home, ".local/share/unroll/worktrees"));
    expect(await readFile(join(tree, "b.txt"), "utf8")).toBe("one\n");
    expect(git(world, "status", "--porcelain")).toBe(" M a.txt\n");
    expect(stderr).toContain(`The worktree leaves out the uncommitted changes in ${world.work} (1 file).`);
    expect(stderr).toContain(`git -C ${world.work} merge ${branch}`);
    expect(git(world, "log", "--format=%s", branch)).toBe("Second\nFirst\n");
  },
);

test("no git is started that the project brings along", async () => {
  await using world = await openRepository({ turns: [done] });
  const planted = join(world.work, "node_modules/.bin");
  await mkdir(planted, { recursive: true });
  const script = `#!/bin/sh\ntouch '${world.home}/ran'\nPATH=/usr/bin:/bin exec git "$@"\n`;
  await writeFile(join(planted, "git"), script, { mode: 0o755 });
  const { stderr } = await world.run(task, { env: { PATH: `${planted}:${process.env["PATH"]}` } });
  expect(stderr).toMatch(/^worktree: /m);
  expect(existsSync(join(world.home, "ran"))).toBe(false);
  const nowhere = await world.run(task, { env: { PATH: planted } });
  expect(nowhere.stderr).toContain(`cannot run git: ${planted}/git is not started: a project can put programs there.`);
});

test.skipIf(!hasSandbox)(
  "a worktree in which nothing was changed is removed with its branch; one with files that nobody committed stays",
  async () => {
    await using world = await openRepository({ turns: [command("cat a.txt"), done, command("touch new"), done] });
    const clean = await world.run(task);
    expect(clean.stderr).toMatch(/Nothing changed: removed the worktree and its branch unroll\/\w+\./);
    expect(git(world, "branch", "--format=%(refname:short)")).toBe("main\n");
    const changed = await world.run({ ...task, json: true });
    const [, tree = ""] = /^The work is in (\S+) on branch \S+; not all of it is committed/m.exec(changed.stderr) ?? [];
    expect(existsSync(join(tree, "new"))).toBe(true);
  },
);

test("a worktree is not made where the repository's own settings make git run programs", async () => {
  await using world = await openRepository({ turns: [] });
  const ran = join(world.home, "ran");
  git(world, "config", "filter.x.smudge", `touch ${ran}; cat`);
  await writeFile(join(world.work, ".gitattributes"), "* filter=x\n");
  git(world, "add", ".");
  git(world, "commit", "-qm", "Second");
  const { exitCode, stderr } = await world.run(task);
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("git settings run programs (filter.x.smudge). If you trust them") as string,
  });
  expect(existsSync(ran)).toBe(false);
});

test("a worktree wants a repository with a commit, and a new task", async () => {
  await using world = await openExecWorld({ script: { turns: [] } });
  expect(await world.run(task)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("is not in a git repository") as string,
  });
  git(world, "init", "-q");
  expect((await world.run(task)).stderr).toContain("the repository has no commit yet");
  expect((await world.run({ ...task, resume: "last" })).stderr).toContain("--worktree only works with a new task");
  expect(existsSync(join(world.home, ".local/share/unroll/worktrees"))).toBe(false);
});
