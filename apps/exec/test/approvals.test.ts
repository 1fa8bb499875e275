import { existsSync, openSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { ExecOptions } from "@unroll/exec";
import { askTwoHosts } from "@unroll/program/fixture/two-hosts";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { expect, test } from "vitest";
import { type ExecWorld, openExecWorld, type RanExec } from "./exec-world.ts";

const touch = { items: [{ call: "exec_command", arguments: { cmd: "touch made" } }] };
const done = { items: [{ text: "Done." }] };
const task = { prompt: "Go", json: true, askForApproval: "untrusted", sandbox: "danger-full-access" } as const;

/** Runs the task, and lets `say` answer each line that is a question; null: it says nothing and closes its side. */
async function answer(
  world: ExecWorld,
  say: (id: string) => string | null,
  options: ExecOptions = task,
): Promise<RanExec> {
  const stdin = new PassThrough();
  let rest = "";
  const onStdout = (text: string): void => {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const { type, id } = JSON.parse(line) as { readonly type: string; readonly id: string };
      if (type !== "question") continue;
      const said = say(id);
      if (said === null) stdin.end();
      else stdin.write(`${said}\n`);
    }
  };
  const settings = { stdin: { stream: stdin, kind: "silent" }, onStdout } as const;
  return world.run({ ...options, approvals: "stdio" }, settings);
}

test("a program answers what the policy asks: the question whole on stdout, the answer by its id on stdin", async () => {
  await using world = await openExecWorld({ script: { turns: [touch, done] } });
  const ran = await answer(world, (id) => JSON.stringify({ id, answer: { type: "approved.once" } }));
  expect(ran.exitCode).toBe(0);
  expect(ran.events.find(({ type }) => type === "question")).toMatchObject({
    id: expect.stringMatching(/^q_0_[0-9a-f]{16}$/) as string,
    question: { type: "command.approval", command: "touch made", cwd: world.work },
  });
  expect(existsSync(join(world.work, "made"))).toBe(true);
});

test.for<readonly [string, (id: string) => string | null, RegExp]>([
  ["a no", (id) => JSON.stringify({ id, answer: { type: "denied", reason: "Not today." } }), /^session/],
  [
    "what is no answer to the question",
    (id) => JSON.stringify({ id, answer: { type: "yes" } }),
    /q_0_[0-9a-f]{16} does not answer its question, so it counts as a denial/,
  ],
  [
    "an approval with a limit that is not understood",
    (id) => JSON.stringify({ id, answer: { type: "approved.once", permissions: { network: false } } }),
    /has a limit that unroll does not know \(answer\.permissions\), so it counts as a denial/,
  ],
  ["the end of stdin", () => null, /^session/],
])("%s lets nothing run, and the turn continues", async ([, say, stderr]) => {
  await using world = await openExecWorld({ script: { turns: [touch, done] } });
  const ran = await answer(world, say);
  expect(ran).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(stderr) as string });
  expect(ran.events).toContainEqual(expect.objectContaining({ type: "question.answered" }));
  expect(existsSync(join(world.work, "made"))).toBe(false);
});

test("an answer that was written before its question approves nothing, and is reported", async () => {
  await using world = await openExecWorld({ script: { turns: [touch, done] } });
  const stdin = new PassThrough();
  stdin.end(`${JSON.stringify({ id: "q_0", answer: { type: "approved.once" } })}\n`);
  const ran = await world.run({ ...task, approvals: "stdio" }, { stdin: { stream: stdin, kind: "silent" } });
  expect(ran.stderr).toContain("ignored an answer: no question q_0 is open.");
  expect(existsSync(join(world.work, "made"))).toBe(false);
});

test("a question's line escapes characters that hide or reverse text, and its JSON has the same value", async () => {
  const command = "touch made # \u202e\u200b\u00ad\u3164";
  const script = { turns: [{ items: [{ call: "exec_command", arguments: { cmd: command } }] }, done] };
  await using world = await openExecWorld({ script });
  const ran = await answer(world, (id) => JSON.stringify({ id, answer: { type: "denied" } }));
  expect(ran.events.find(({ type }) => type === "question")).toMatchObject({ question: { command } });
  const line = ran.stdout.split("\n").find((text) => text.includes('"type":"question"'));
  expect(line).toMatch(/^[ -~]+$/);
  expect(line).toContain(String.raw`\u202e\u200b\u00ad\u3164`);
});

test("lines that answer nothing are reported on stderr and ignored", async () => {
  await using world = await openExecWorld({ script: { turns: [touch, done] } });
  const yes = (id: string): string => JSON.stringify({ id, answer: { type: "approved.once" } });
  const ran = await answer(world, (id) => ["", "{", "[]", yes("q_9"), yes(id)].join("\n"));
  expect(ran.stderr).toContain("an answer could not be read: it is not JSON");
  expect(ran.stderr).toContain('an answer could not be read: {"id": …, "answer": {…}} is expected.');
  expect(ran.stderr).toContain("ignored an answer: no question q_9 is open.");
  expect(existsSync(join(world.work, "made"))).toBe(true);
});

test("--approvals stop ends the run at the first question, with exit code 10 and what was asked", async () => {
  await using world = await openExecWorld({ script: { turns: [touch] } });
  const ran = await world.run({ ...task, approvals: "stop" });
  expect(ran.exitCode).toBe(10);
  expect(ran.events.at(-1)).toMatchObject({ type: "turn.failed", error: { code: "approval_needed" } });
  expect(ran.stderr).toContain("touch made: ");
  expect(existsSync(join(world.work, "made"))).toBe(false);
});

test("a thread that --approvals stop ended is asked again by resume without a prompt, which needs such a thread", async () => {
  const pwd = { call: "exec_command", arguments: { cmd: "pwd" } } as const; // runs unasked: its output is kept meanwhile
  const both = { items: [pwd, ...touch.items, pwd] };
  await using world = await openExecWorld({ script: { turns: [both, done] } });
  const stopped = await world.run({ ...task, approvals: "stop" });
  const [, resume = ""] = /unroll resume ([0-9a-f-]{36})/.exec(stopped.stderr) ?? [];
  const resumed = await answer(world, (id) => JSON.stringify({ id, answer: { type: "approved.once" } }), {
    json: true,
    resume,
  });
  expect(resumed).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(world.work, "made"))).toBe(true);
  expect(world.model.violations).toEqual([]);
  const outputs = world.model.requests.at(-1)?.input.filter((item) => Object(item).type === "function_call_output");
  expect(outputs?.map((item) => String(Object(item).output))).toEqual([
    expect.stringContaining(world.work),
    expect.stringContaining("Exit code: 0"),
    expect.stringContaining("An earlier call of the same response waits"),
  ]);
  const again = await answer(world, () => null, { json: true, resume });
  expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("There is no prompt") as string });
});

test.skipIf(!hasSandbox)(
  "--approvals stop denies a host at once, as its command runs already, and says how to allow it beforehand",
  async () => {
    const { port, turns } = await askTwoHosts();
    const config = "[sandbox_workspace_write]\nnetwork = { allow = [] }\n";
    await using world = await openExecWorld({ script: { turns } }, config);
    const settings = { askForApproval: "on-request", sandbox: "workspace-write" } as const;
    const ran = await world.run({ ...task, ...settings, approvals: "stop" });
    const [host, later] = [`127.0.0.1:${port}`, "A connection cannot wait for an answer that comes later."];
    const advice = `No one can approve it here: allow it with --allow-host ${host} or a rule, or use --approvals stdio.`;
    expect([ran.exitCode, ran.stderr]).toEqual([10, expect.stringContaining(advice)]);
    expect(ran.stderr).not.toContain("unroll resume");
    expect(ran.events.find(({ type }) => type === "host.denied")).toMatchObject({
      reason: `${host} was denied. ${later}`,
    });
  },
);

test("without the flag no questions are asked, as before; flags that exclude each other are refused", async () => {
  await using world = await openExecWorld({ script: { turns: [touch, done] } });
  expect((await world.run(task)).exitCode).toBe(0);
  expect(existsSync(join(world.work, "made"))).toBe(false);
  const text = await world.run({ prompt: "Go", approvals: "stdio" });
  expect(text).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("needs --json") as string });
  const piped = await world.run({ json: true, approvals: "stdio" });
  expect(piped).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("prompt as an argument") as string });
});

test("--events-fd gives the events beside the progress, and --quiet leaves the progress out", async () => {
  await using world = await openExecWorld({ script: { turns: [done, { status: 400 }] } });
  await mkdir(join(world.work, "out"));
  const path = join(world.work, "out", "events.jsonl");
  const events = async (): Promise<readonly string[]> => {
    const lines = (await readFile(path, "utf8")).trim().split("\n");
    return lines.map((line) => (JSON.parse(line) as { readonly type: string }).type);
  };
  const file = openSync(path, "w");
  expect(await world.run({ prompt: "Go", eventsFd: file, quiet: true })).toMatchObject({
    exitCode: 0,
    stdout: "Done.\n",
    stderr: "",
  });
  expect([(await events())[0], (await events()).at(-1)]).toEqual(["thread.started", "turn.completed"]);

  const second = openSync(path, "w");
  const failed = await world.run({ prompt: "Go", eventsFd: second, quiet: true });
  expect([failed.exitCode, failed.stdout, (await events()).at(-1)]).toEqual([1, "", "turn.failed"]);
  expect(failed.stderr).toContain("400");
  expect(await world.run({ prompt: "Go", eventsFd: 9_999 })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--events-fd 9999: is not open. Open it where you start unroll") as string,
  });
});
