import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CapturedRequest, Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { openExecWorld } from "./exec-world.ts";

const said = (text: string): Turn => ({ items: [{ text }] });
const textOf = ({ body }: CapturedRequest): string => JSON.stringify(body);
const lines = (text: string): readonly Record<string, unknown>[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const toFile = (tasks: readonly object[]): string => tasks.map((task) => JSON.stringify(task)).join("\n");

test("a batch runs each line as a task and prints results as JSON lines; the same command runs nothing again", async () => {
  await using world = await openExecWorld({
    respond: (request) => (textOf(request).includes("Give a number") ? said('{"n":7}') : said("Done.")),
  });
  const schema = {
    type: "object",
    properties: { n: { type: "number" } },
    required: ["n"],
    additionalProperties: false,
  };
  const tasks = [
    { id: "a", prompt: "Say it" },
    { id: "b", prompt: "Give a number", output_schema: schema },
  ];
  await writeFile(join(world.work, "tasks.jsonl"), toFile(tasks));
  const ran = await world.run({ batch: "tasks.jsonl", jobs: 1, maxTokens: "1_000_000" });
  expect(ran).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("batch: 2 completed, 0 failed, 0 left") });
  const results = lines(ran.stdout);
  expect(results).toMatchObject([
    { id: "a", status: "completed", final_message: "Done.", value: null, error: null },
    { id: "b", status: "completed", value: { n: 7 }, cost: null },
  ]);
  const again = await world.run({ batch: "tasks.jsonl", jobs: 1 });
  expect(lines(again.stdout)).toEqual(results);
  expect(again.stderr).toContain("batch: 2 tasks, 2 finished earlier");
  expect(world.model.requests).toHaveLength(2);
});

test("a batch that ^C stops continues its threads: no call runs twice, and a changed line runs again", async () => {
  let isStopped = false;
  let stop = (): void => {};
  await using world = await openExecWorld({
    respond(request) {
      const text = textOf(request);
      if (text.includes("Quick")) return said("Quick.");
      if (!text.includes("function_call_output"))
        return { items: [{ call: "exec_command", arguments: { cmd: "echo x >> runs", login: false } }] };
      if (isStopped) return said("Continued.");
      isStopped = true;
      stop();
      return { ...said("Never."), delayMs: 60_000 };
    },
  });
  const file = join(world.work, "tasks.jsonl");
  const slow = { id: "slow", prompt: "Slow" };
  await writeFile(file, toFile([{ id: "quick", prompt: "Quick" }, slow]));
  const options = { batch: "tasks.jsonl", jobs: 1, out: "results.jsonl", sandbox: "danger-full-access" } as const;
  const first = await world.run(options, { onStart: (send) => (stop = () => send("SIGINT")) });
  expect(first).toMatchObject({ exitCode: 130, stderr: expect.stringContaining("1 completed, 0 failed, 1 left") });

  await writeFile(file, toFile([{ id: "quick", prompt: "Quick, again" }, slow]));
  const second = await world.run(options);
  expect(second.exitCode).toBe(0);
  expect(second.stderr).toContain("Changed since the last run, so they run again: quick.");
  expect(second.stderr).toContain("↻ slow continues");
  const results = lines(await readFile(join(world.work, "results.jsonl"), "utf8"));
  expect(results.map(({ id, final_message }) => [id, final_message])).toEqual([
    ["quick", "Quick."],
    ["slow", "Continued."],
  ]);
  expect(await readFile(join(world.work, "runs"), "utf8")).toBe("x\n");
});

test("a wrong line, and flags that would do nothing, are refused before any request", async () => {
  await using world = await openExecWorld({ script: { turns: [] } });
  const file = join(world.work, "tasks.jsonl");
  await writeFile(file, `{"id":"a","prompt":"x"}\n{"id":"b","prompt":"x","max_cost":1}`);
  const refused = await world.run({ batch: "tasks.jsonl" });
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain("tasks.jsonl, line 2: max_cost: unknown field.");
  await writeFile(file, `{"id":"a","prompt":"x"}`);
  expect((await world.run({ batch: "tasks.jsonl", json: true })).stderr).toContain("--batch does not work with --json");
  expect((await world.run({ prompt: "x", failFast: true })).stderr).toContain("need --batch FILE");
  expect(world.model.requests).toEqual([]);
});

test("a batch file may begin with a byte order mark, and one that is not UTF-8 is refused before anything starts", async () => {
  await using world = await openExecWorld({ script: { turns: [said("Done.")] } });
  const task = '{"id":"a","prompt":"Say \u00e9"}';
  await writeFile(join(world.work, "marked.jsonl"), `\ufeff${task}`);
  await writeFile(join(world.work, "latin1.jsonl"), Buffer.from(task, "latin1"));
  expect(await world.run({ batch: "marked.jsonl" })).toMatchObject({ exitCode: 0 });
  const refused = await world.run({ batch: "latin1.jsonl" });
  expect(refused).toMatchObject({ exitCode: 2 });
  expect(refused.stderr).toContain("--batch latin1.jsonl: cannot be read: it is not UTF-8 text.");
});

test("a warning that several tasks have is printed once, with the first task that has it", async () => {
  await using world = await openExecWorld({ respond: () => said("Done.") });
  const config = { model_reasoning_efort: "low" };
  await writeFile(join(world.work, "tasks.jsonl"), toFile(["a", "b"].map((id) => ({ id, prompt: id, config }))));
  const ran = await world.run({ batch: "tasks.jsonl", jobs: 1 });
  expect(ran.stderr.match(/^warning: .*model_reasoning_efort.*$/gm)).toEqual([expect.stringContaining("warning: a: ")]);
});

test("results are not written over a file that is not this batch's", async () => {
  await using world = await openExecWorld({ script: { turns: [] } });
  await writeFile(join(world.work, "tasks.jsonl"), `{"id":"a","prompt":"x"}`);
  await writeFile(join(world.work, "notes.txt"), "mine");
  const refused = await world.run({ batch: "tasks.jsonl", out: "notes.txt" });
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--out notes.txt: the file exists") });
  expect(await readFile(join(world.work, "notes.txt"), "utf8")).toBe("mine");
  expect(world.model.requests).toEqual([]);
});

test("a limit on cost without a known price stops the batch before any request", async () => {
  await using world = await openExecWorld({ script: { turns: [] } });
  await writeFile(join(world.work, "tasks.jsonl"), `{"id":"a","prompt":"x"}`);
  const ran = await world.run({ batch: "tasks.jsonl", maxCost: "5" });
  expect(ran).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringContaining("max_cost cannot be checked") });
  expect(ran.stderr).toContain("batch: 0 completed, 0 failed, 1 left");
});

test("a batch without retries waits as long as a busy server asks for, and no task fails for it", async () => {
  let answered = 0;
  await using world = await openExecWorld({
    respond() {
      answered += 1;
      const error = { code: "rate_limit_exceeded", message: "Please try again in 20ms." };
      return answered === 2 ? { status: 429, body: { error } } : said("Done.");
    },
    allowViolations: true,
  });
  await writeFile(join(world.work, "tasks.jsonl"), toFile(["a", "b"].map((id) => ({ id, prompt: id }))));
  const config = ["model_providers.test.request_max_retries=0"];
  const ran = await world.run({ batch: "tasks.jsonl", jobs: 1, config });
  expect(ran).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("2 completed, 0 failed, 0 left") });
  expect(ran.stderr).toContain("One task tries again in 1 s");
  expect(world.model.requests).toHaveLength(3);
});

test("--task-timeout ends a task that takes too long, and the others run", async () => {
  await using world = await openExecWorld({
    respond: (request) => (textOf(request).includes("Slow") ? { ...said("Never."), delayMs: 60_000 } : said("Done.")),
  });
  const tasks = ["Slow", "Quick"].map((prompt) => ({ id: prompt, prompt }));
  await writeFile(join(world.work, "tasks.jsonl"), toFile(tasks));
  const ran = await world.run({ batch: "tasks.jsonl", jobs: 1, taskTimeout: "1s" });
  expect(lines(ran.stdout)).toMatchObject([
    { id: "Slow", status: "failed", error: { code: "task_timeout", message: expect.stringContaining("1 s") } },
    { id: "Quick", status: "completed" },
  ]);
  expect(ran.exitCode).toBe(1);
});

test("--fail-fast ends at the first failure, and --only-failed runs only what failed", async () => {
  let isBroken = true;
  await using world = await openExecWorld({
    respond: (request) =>
      textOf(request).includes("Bad") && isBroken
        ? { status: 400, json: { error: { message: "No." } } }
        : said("Fine."),
    allowViolations: true,
  });
  const tasks = ["Good", "Bad", "Later"].map((prompt) => ({ id: prompt, prompt }));
  await writeFile(join(world.work, "tasks.jsonl"), toFile(tasks));
  const options = { batch: "tasks.jsonl", jobs: 1 };
  const first = await world.run({ ...options, failFast: true });
  expect(first).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("1 completed, 1 failed, 1 left") });
  isBroken = false;
  const second = await world.run({ ...options, onlyFailed: true });
  expect(lines(second.stdout).map(({ id, status }) => [id, status])).toEqual([
    ["Good", "completed"],
    ["Bad", "completed"],
  ]);
  expect(second.stderr).toContain("2 completed, 0 failed, 1 left");
});

test("a batch names its least cost before its first request, if the price is known", async () => {
  await using world = await openExecWorld({ respond: () => said("Done.") });
  const tasks = ["a", "b", "c"].map((id) => ({ id, prompt: "Go" }));
  await writeFile(join(world.work, "tasks.jsonl"), toFile(tasks));
  const ran = await world.run({
    batch: "tasks.jsonl",
    model: "gpt-6.1-sol",
    config: ['models.gpt-6.1-sol.provider="test"'],
  });
  expect(ran.stderr).toMatch(/^estimate: at least \$0\.\d+, for one request a task/m);
});

test("with --worktree each task works on a branch of its own, and its result has the diff; images go along", async () => {
  const picture = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  await using world = await openExecWorld({
    respond(request) {
      const text = textOf(request);
      if (text.includes("function_call_output") || text.includes("Behold")) return said("Done.");
      return {
        items: [{ call: "exec_command", arguments: { cmd: "echo new > b.txt; cp dot.png copy.png", login: false } }],
      };
    },
  });
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
      cwd: world.work,
      encoding: "utf8",
    });
  git("init", "-q", "-b", "main");
  await writeFile(join(world.work, "dot.png"), picture);
  git("add", ".");
  git("commit", "-qm", "First");
  const tasks = [
    { id: "write", prompt: "Write" },
    { id: "look", prompt: "Behold", images: ["dot.png"] },
  ];
  await writeFile(join(world.work, "tasks.jsonl"), toFile(tasks));
  const options = { batch: "tasks.jsonl", worktree: true, sandbox: "danger-full-access" } as const;
  const ran = await world.run(options);
  const results = lines(ran.stdout).toSorted((a, b) => String(b["id"]).localeCompare(String(a["id"])));
  expect(results).toMatchObject([
    {
      id: "write",
      branch: expect.stringMatching(/^unroll\//),
      worktree: expect.stringContaining("worktrees"),
      diff: expect.stringContaining("+++ b/b.txt\n@@ -0,0 +1 @@\n+new\n"),
    },
    { id: "look", branch: null, worktree: null, diff: null },
  ]);
  expect(git("status", "--porcelain", "-uno")).toBe("");
  expect(git("branch", "--format=%(refname:short)").split("\n").filter(Boolean)).toEqual([
    "main",
    results[0]?.["branch"],
  ]);
  expect(world.model.requests.filter((request) => textOf(request).includes("data:image/png"))).toHaveLength(1);
  await writeFile(join(world.work, "all.patch"), String(results[0]?.["diff"]));
  git("apply", "all.patch");
  expect(await readFile(join(world.work, "copy.png"))).toEqual(picture);
});

test("at a terminal a table shows the running tasks with their last action; it is gone at the end", async () => {
  await using world = await openExecWorld({
    respond(request) {
      if (textOf(request).includes("function_call_output")) return said("Done.");
      return { items: [{ call: "exec_command", arguments: { cmd: "echo hi", login: false } }] };
    },
  });
  const tasks = ["First", "Second", "Third"].map((prompt) => ({ id: prompt.toLowerCase(), prompt }));
  await writeFile(join(world.work, "tasks.jsonl"), toFile(tasks.toReversed()));
  const options = { batch: "tasks.jsonl", jobs: 2, sandbox: "danger-full-access" } as const;
  const ran = await world.run(options, { columns: 60 });
  expect(ran.stderr).toContain("░░░░ 0/3\n");
  expect(ran.stderr).toMatch(/^█+░+ 1\/3 · about \d+ (?:s|min) left$/m); // at 60 columns, the bar is shorter, and nothing is cut
  expect(ran.stderr).toMatch(/^ {2}(?:first|second|third) +0 s {2}(?:\$ echo hi|starts)\n/m);
  const end = ran.stderr.slice(ran.stderr.lastIndexOf("\u001b[J"));
  expect(end).toContain("batch: 3 completed, 0 failed, 0 left");
  expect(end).not.toContain("█");
});
