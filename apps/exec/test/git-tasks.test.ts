import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BatchTask, TaskContext, TaskOutcome } from "@unroll/batch";
import { createBudget } from "@unroll/harness";
import { watchInterruption } from "@unroll/program";
import { createTestIo } from "@unroll/program/fixture/test-io";
import type { Answer } from "@unroll/protocol";
import { expect, test } from "vitest";
import { openTaskProgram } from "../src/batch/open-task-program.ts";
import { createExecOutput } from "../src/output/exec-output.ts";
import { type ExecWorld, openExecWorld } from "./exec-world.ts";

const call = (cmd: string): { readonly items: readonly [{ call: "exec_command"; arguments: object }] } => ({
  items: [{ call: "exec_command", arguments: { cmd, login: false } }],
});
const done = { items: [{ text: "Done." }] };

function git(cwd: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@t"];
  return execFileSync("git", [...identity, ...args], {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: cwd },
  }).trim();
}

/** A bare repository with one commit, and one branch beside it. */
async function createRemote({ home }: ExecWorld): Promise<string> {
  const [remote, work] = [join(home, "remote.git"), join(home, "source")];
  await mkdir(join(work, "src"), { recursive: true });
  await writeFile(join(work, "src/a.txt"), "one\n");
  git(work, "init", "-q", "-b", "main");
  git(work, "add", "-A");
  git(work, "commit", "-q", "-m", "one");
  git(work, "branch", "other");
  git(work, "clone", "-q", "--bare", work, remote);
  return remote;
}

/** Runs the task in a process of its own, as a worker on some machine would. */
async function runOnce(world: ExecWorld, task: BatchTask, context: Partial<TaskContext>): Promise<TaskOutcome> {
  const env = { PATH: process.env["PATH"], HOME: world.home };
  const io = createTestIo({ env, cwd: world.work, homeDirectory: world.home });
  using interruption = watchInterruption(io);
  const output = createExecOutput({}, io, interruption);
  const flags = { askForApproval: "untrusted", sandbox: "danger-full-access", skipGitRepoCheck: true } as const;
  await using program = await openTaskProgram(flags, io, { interruption, output, what: "A test" });
  return await program.runner.run(task, {
    signal: new AbortController().signal,
    budget: createBudget({ clock: program.clock, limits: {}, of: "task" }),
    begun: null,
    isPaid: true,
    cacheShard: 0,
    questions: null,
    begin: async () => {},
    beforeRequest: async () => {},
    tell: async () => {},
    ...context,
  });
}

const answering = (...answers: readonly Answer["type"][]): Pick<TaskContext, "questions"> => {
  const left = [...answers];
  const answer = async (): Promise<Answer> => ({ type: left.shift() ?? "postponed" }) as Answer;
  return { questions: { person: { answer }, hasNews: true } };
};

test.each([
  ["continues in a new clone of what was pushed", false],
  ["says so if what was not pushed is lost", true],
])("a task with a repository %s", async (_what, isLost) => {
  const turns = [call("echo two >> a.txt"), call("cat a.txt > b.txt"), done];
  await using world = await openExecWorld({ script: { turns } });
  const remote = await createRemote(world);
  const task: BatchTask = { id: "fix it", prompt: "Go", cwd: "src", git: { url: remote, ref: "other" } };
  const threads: { threadId: string; turns: number }[] = [];
  const first = await runOnce(world, task, {
    ...answering("approved.once"),
    begin: async (thread) => void threads.push(thread),
  });
  const ref = "refs/unroll/b64-Zml4IGl0";
  expect(first).toMatchObject({ error: { code: "approval_needed" }, changes: { branch: ref, worktree: null } });
  expect(git(remote, "show", `${ref}:src/a.txt`)).toBe("one\ntwo");
  if (isLost) git(remote, "update-ref", "-d", ref);
  const second = await runOnce(world, task, { ...answering("approved.once"), begun: threads[0] ?? null });
  expect(second).toMatchObject({ status: "completed", finalMessage: "Done." });
  expect(second.changes?.isLost).toBe(isLost ? true : undefined);
  expect(git(remote, "show", `${ref}:src/b.txt`)).toBe(isLost ? "one" : "one\ntwo");
  expect(second.changes?.diff).toContain("+++ b/src/b.txt");
  expect(JSON.stringify(world.model.requests.at(-1)?.input).includes("is gone")).toBe(isLost);
  expect(world.model.violations).toEqual([]);
  expect(readdirSync(join(world.home, ".local/share/unroll/clones"))).toEqual([]);
  expect(git(remote, "rev-parse", "other", "main").split("\n")).toHaveLength(2);
});

test("settings that commands make in the clone's repository count for nothing", async () => {
  const evil = `git config core.sshCommand 'touch ${"$HOME"}/ran' && git config url./nowhere.insteadOf / && git config filter.x.clean 'touch ${"$HOME"}/ran' && echo '* filter=x' > .gitattributes`;
  await using world = await openExecWorld({ script: { turns: [call(evil), done] } });
  const remote = await createRemote(world);
  const task: BatchTask = { id: "a", prompt: "Go", git: { url: remote } };
  const ran = await runOnce(world, task, answering("approved.once"));
  expect(ran).toMatchObject({ status: "completed", changes: { branch: "refs/unroll/a" } });
  expect(git(remote, "show", "refs/unroll/a:.gitattributes")).toBe("* filter=x");
  expect(existsSync(join(world.home, "ran"))).toBe(false);
  const missing = runOnce(world, { ...task, git: { url: join(world.home, "none.git") } }, {});
  await expect(missing).rejects.toThrow(/^a: git with .*none\.git failed: fatal/);
});

test("a push that fails keeps the work in its folder, and the error names it", async () => {
  await using world = await openExecWorld({
    script: { turns: [call("echo two > b.txt; rm -r $HOME/remote.git"), done] },
  });
  const remote = await createRemote(world);
  const task: BatchTask = { id: "a", prompt: "Go", git: { url: remote } };
  const error: unknown = await runOnce(world, task, answering("approved.once")).catch((thrown: unknown) => thrown);
  const [, folder = ""] = /The work is in (.*)\.$/.exec(String(error)) ?? [];
  expect(await readFile(join(folder, "b.txt"), "utf8")).toBe("two\n");
});
