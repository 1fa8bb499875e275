import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  summarizeStored,
  openThreadHost,
  readStoredTurns,
  listConfigValues,
  type ThreadHost,
  type ThreadClient,
} from "@unroll/thread-host";
import { type ModelHome, openModelHome } from "@unroll/program/fixture/model-home";
import { createTestIo } from "@unroll/program/fixture/test-io";
import { type Answer, type Question, type ThreadEvent, unrollVersion } from "@unroll/protocol";
import { expect, test } from "vitest";

const text = (said: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text: said }] });
const touch = { items: [{ call: "exec_command", arguments: { cmd: "touch made" } }] };
const unconfined = { approvalPolicy: "untrusted", sandbox: "danger-full-access" } as const;
const origin = { type: "new", isEphemeral: false } as const;

interface TestClient extends ThreadClient {
  readonly told: string[];
  readonly asked: Question[];
}

/** Records its events and questions. */
function createClient(answer: (signal: AbortSignal) => Promise<Answer | null>): TestClient {
  const [told, asked]: [string[], Question[]] = [[], []];
  return {
    told,
    asked,
    async tell(event: ThreadEvent) {
      told.push("item" in event ? `${event.type} ${event.item.type}` : event.type);
    },
    ask(question, signal) {
      asked.push(question);
      told.push("asked");
      return answer(signal);
    },
  };
}

function open({ home, work }: ModelHome, now: () => number = Date.now): ThreadHost {
  const io = createTestIo({ env: { PATH: process.env["PATH"], HOME: home }, cwd: work, homeDirectory: home, now });
  return openThreadHost({ io, flags: {}, name: "test", signal: new AbortController().signal });
}

test("the thread of a front end says which version of unroll began it", async () => {
  await using world = await openModelHome({ script: { turns: [text("Hello.")] } });
  const threadHost = open(world);
  const client = createClient(async () => null);
  const { thread, release } = await threadHost.open({ origin, asked: unconfined, client });
  release();
  const turn = await thread.run("Hi");
  turn.release();
  await turn.ended;
  await threadHost[Symbol.asyncDispose]();
  const [file = ""] = globSync("**/*.jsonl", { cwd: join(world.home, ".codex/sessions") });
  const [first] = readFileSync(join(world.home, ".codex/sessions", file), "utf8").split("\n");
  expect(first).toContain(`"originator":"test","cli_version":"${unrollVersion}"`);
});

test("a client gets no event of a turn before its release, then all of them: the question comes after its item, the outcome last", async () => {
  await using home = await openModelHome({ script: { turns: [touch, text("Done.")] } });
  await using threadHost = open(home);
  const client = createClient(async () => ({ type: "approved.once" }));
  const { thread, release } = await threadHost.open({ origin, asked: unconfined, client });
  release();
  const turn = await thread.run("Go");
  expect(client.told).not.toContain("turn.started");
  expect(thread.isRunning).toBe(true);
  await expect(thread.run("Go")).rejects.toMatchObject({ name: "ThreadHostError", code: "turn_runs" });
  turn.release();
  expect(await turn.ended).toMatchObject({ type: "completed", finalMessage: "Done." });
  expect(client.told.filter((type) => !/delta|request|question|thread/.test(type))).toEqual([
    "turn.started",
    "input.received",
    "item.started command_execution",
    "asked",
    "item.completed command_execution",
    "item.completed agent_message",
    "turn.completed",
  ]);
  expect(client.asked).toMatchObject([{ type: "command.approval", command: "touch made", cwd: home.work }]);
  expect(thread).toMatchObject({ preview: "Go", isRunning: false });
});

test("no answer denies the question; a question ends with its turn, and a turn with its thread", async () => {
  await using home = await openModelHome({ script: { turns: [touch, text("No?"), touch] } });
  await using threadHost = open(home);
  const answers: (() => Promise<Answer | null>)[] = [async () => null];
  const asked = Promise.withResolvers<AbortSignal>();
  const client = createClient((signal) => {
    const answer = answers.pop();
    if (answer !== undefined) return answer();
    asked.resolve(signal);
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  });
  const { thread, release } = await threadHost.open({ origin, asked: unconfined, client });
  release();
  const first = await thread.run("Go");
  first.release();
  expect(await first.ended).toMatchObject({ type: "completed", finalMessage: "No?" });
  const second = await thread.run("Again");
  second.release();
  const question = await asked.promise;
  thread.interrupt(second.id);
  expect(await second.ended).toMatchObject({ type: "interrupted" });
  expect(question.aborted).toBe(true);
  expect(() => thread.interrupt(second.id)).toThrow("is not running");
  await threadHost.close(thread.id);
  expect(() => threadHost.find(thread.id)).toThrow("is not open");
});

test("a thread resumes in its folder and with its model; a fork starts with the same settings; stored turns can be read", async () => {
  await using home = await openModelHome({ script: { turns: [touch, text("One."), text("Two."), text("Three.")] } });
  let now = 1_000;
  await using threadHost = open(home, () => now);
  const client = createClient(async () => ({ type: "approved.once" }));
  const asked = { ...unconfined, cwd: home.home, model: "gpt-5-codex" };
  const { thread, release } = await threadHost.open({ origin, asked, client });
  release();
  now = 2_000;
  const turn = await thread.run("Go");
  turn.release();
  await turn.ended;
  now = 3_000;
  expect(thread).toMatchObject({ createdAt: 1_000, usedAt: 2_000 });
  await thread.rename("one");
  expect(thread.usedAt).toBe(3_000);
  await threadHost.close(thread.id);
  const stored = await (await threadHost.openStore()).load(thread.id);
  expect(readStoredTurns(stored.entries)).toMatchObject([
    {
      id: turn.id,
      end: { type: "turn.completed" },
      steps: [
        { type: "said", input: [{ type: "text", text: "Go" }] },
        { type: "item", item: { type: "command_execution", command: "touch made" } },
        { type: "item", item: { type: "agent_message", text: "One." } },
      ],
    },
  ]);
  const resumed = await threadHost.open({ origin: { type: "resumed", stored }, asked: {}, client });
  const { createdAt, usedAt } = summarizeStored(stored);
  expect(resumed.thread).toMatchObject({
    id: thread.id,
    createdAt,
    usedAt,
    preview: "Go",
    config: { cwd: home.home, model: "gpt-5-codex" },
  });
  const forked = { type: "forked", stored, turns: 0, isEphemeral: true } as const;
  const fork = await threadHost.open({ origin: forked, asked: {}, client });
  expect(fork.thread).toMatchObject({
    forkedFrom: thread.id,
    isEphemeral: true,
    createdAt: now,
    config: { cwd: home.home },
  });
  expect([...threadHost.threads.keys()]).toEqual([thread.id, fork.thread.id]);
});

test("an answer that was cut is read back as one; a whole one in front of an interruption is not", async () => {
  const delta = { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, delta: "The begin" };
  const response = { id: "resp_1", incomplete_details: { reason: "max_output_tokens" }, usage: null };
  const cut = { events: [delta, { type: "response.incomplete", response }] };
  const whole = { ...text("Whole."), end: { incomplete: "max_output_tokens" } };
  const content = [{ type: "output_text", text: "The begin", annotations: [] }];
  const said = { ...whole, items: [{ type: "message", status: "incomplete", content }] };
  await using home = await openModelHome({ script: { turns: [cut, whole, said] } });
  await using threadHost = open(home);
  const client = createClient(async () => null);
  const { thread, release } = await threadHost.open({ origin, asked: unconfined, client });
  release();
  for (const input of ["Go", "On", "And on"]) {
    const turn = await thread.run(input);
    turn.release();
    await turn.ended;
  }
  await threadHost.close(thread.id);
  const stored = await (await threadHost.openStore()).load(thread.id);
  const lasts = readStoredTurns(stored.entries).map(({ steps }) => steps.at(-1));
  const item = { type: "agent_message", text: "The begin", cut: "incomplete" };
  expect(lasts).toEqual([
    { type: "item", item: { ...item, id: "item_0" } },
    { type: "item", item: { type: "agent_message", text: "Whole.", id: "item_1" } },
    { type: "item", item: { ...item, id: "item_2" } },
  ]);
});

test("a call ended as it did, also where an answer that was cut later asks for one by the same id", async () => {
  const call = { call: "exec_command", call_id: "call_0", arguments: { cmd: "touch made" } };
  const cut = { items: [call], end: { incomplete: "max_output_tokens" } };
  await using home = await openModelHome({ script: { turns: [{ items: [call] }, text("One."), cut] } });
  await using threadHost = open(home);
  const client = createClient(async () => ({ type: "approved.once" }));
  const { thread, release } = await threadHost.open({ origin, asked: unconfined, client });
  release();
  for (const input of ["Go", "On"]) {
    const turn = await thread.run(input);
    turn.release();
    await turn.ended;
  }
  await threadHost.close(thread.id);
  const { entries } = await (await threadHost.openStore()).load(thread.id);
  const items = readStoredTurns(entries).flatMap(({ steps }) =>
    steps.flatMap((s) => (s.type === "item" ? s.item : [])),
  );
  expect(items[0]).toMatchObject({ type: "command_execution", status: "completed", exit_code: 0 });
  expect(items[0]).not.toHaveProperty("reason");
});

test("a table of settings is one value a key", () => {
  const servers = { "a b": { command: "x", args: ["1", { y: true }] }, c: null };
  expect(listConfigValues("mcp_servers", servers)).toEqual([
    { key: 'mcp_servers."a b".command', value: '"x"' },
    { key: 'mcp_servers."a b".args', value: '["1", { "y" = true }]' },
  ]);
});
