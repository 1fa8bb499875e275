import { readdir } from "node:fs/promises";
import { type HostedThread, readStoredTurns, type ThreadClient, type ThreadHost } from "@unroll/thread-host";
import { type ModelHome, openModelHome } from "@unroll/program/fixture/model-home";
import { forEach } from "@unroll/flow";
import type { NumberedEvent } from "@unroll/protocol";
import { expect, test } from "vitest";
import { asked, begin, open, origin, say, silent, text, type Turn } from "./host-world.ts";

const anew = (turn: Turn): Turn => ({ ...turn, newEpoch: true });

const modelsOf = (home: ModelHome): readonly unknown[] => home.model.requests.map(({ body }) => body["model"]);

test("an idle thread over the limit releases what it holds, and resumes with its name and settings when it is used", async () => {
  await using home = await openModelHome({ script: { turns: [text("One."), text("Two."), text("Three.")] } });
  await using host = open(home, 1);
  const told: string[] = [];
  const first = await begin(host, { ...silent, tell: async ({ type }) => void told.push(type) });
  await say(first, "a");
  await first.change({ sandboxSettings: { ...first.config.sandboxSettings, mode: "read-only" } });
  await first.rename("one");
  const { config } = first;
  const second = await begin(host);
  await say(second, "b");
  // it sleeps: another process could have it now
  await using other = open(home);
  const stored = await other.load(first.id);
  await expect
    .poll(() => other.open({ origin: { type: "resumed", stored }, asked: {}, client: silent }).catch(() => null))
    .not.toBeNull();
  await expect(say(first, "c")).rejects.toMatchObject({ code: "thread_locked" });
  await other.close(first.id);
  expect(first).toMatchObject({ name: "one", config: { sandboxSettings: config.sandboxSettings } });
  const opened = told.filter((type) => type === "thread.started").length;
  expect(await say(first, "c")).toMatchObject({ type: "completed", finalMessage: "Three." });
  expect(told.filter((type) => type === "thread.started")).toHaveLength(opened);
  expect(first).toMatchObject({ name: "one", config: { sandboxSettings: config.sandboxSettings } });
  expect(home.model.violations).toEqual([]);
});

test("two clients that open a stored thread at once get the same one", async () => {
  await using home = await openModelHome({ script: { turns: [text("One.")] } });
  await using host = open(home);
  const { id } = await begin(host).then(async (thread) => (await say(thread, "a"), thread));
  await host.close(id);
  const stored = await host.load(id);
  const resume = (): ReturnType<ThreadHost["open"]> =>
    host.open({ origin: { type: "resumed", stored }, asked: {}, client: silent });
  const [one, two] = await Promise.all([resume(), resume()]);
  expect(one.thread).toBe(two.thread);
  expect([one.isNew, two.isNew]).toEqual([true, false]);
});

test("a thread that another process is writing is refused with the reason", async () => {
  await using home = await openModelHome({ script: { turns: [text("One.")] } });
  await using host = open(home);
  const thread = await begin(host);
  await say(thread, "a");
  await using other = open(home);
  const stored = await other.load(thread.id);
  await expect(other.open({ origin: { type: "resumed", stored }, asked: {}, client: silent })).rejects.toMatchObject({
    code: "thread_locked",
  });
});

test("another model answers the same handle, also where nothing is kept; not while a turn runs, and a wrong one changes nothing", async () => {
  const turns = [text("One."), anew(text("Two.")), { ...text("Three."), delayMs: 60_000 }];
  await using home = await openModelHome({ script: { turns } });
  await using host = open(home);
  const { thread, release } = await host.open({ origin: { ...origin, isEphemeral: true }, asked, client: silent });
  release();
  await say(thread, "a");
  const { model } = thread.config;
  await thread.chooseModel({ model: "gpt-5-codex" });
  expect(thread.config.model).toBe("gpt-5-codex");
  expect(await say(thread, "b")).toMatchObject({ finalMessage: "Two." });
  await expect(thread.chooseModel({ model: "gpt-5-mini", modelProvider: "nowhere" })).rejects.toThrow("nowhere");
  expect(thread.config.model).toBe("gpt-5-codex");
  const turn = await thread.run("c");
  turn.release();
  await expect(thread.chooseModel({ model: "gpt-5-mini" })).rejects.toMatchObject({ code: "turn_runs" });
  thread.interrupt(turn.id);
  expect(await turn.ended).toMatchObject({ type: "interrupted" });
  expect(modelsOf(home).slice(0, 2)).toEqual([model, "gpt-5-codex"]);
});

test("turns are rewound in place, and a fork is another thread with the settings of the first", async () => {
  await using home = await openModelHome({
    script: { turns: [text("One."), text("Two."), anew(text("Three.")), text("Four.")] },
  });
  await using host = open(home);
  const thread = await begin(host);
  await say(thread, "a");
  await say(thread, "b");
  const kept = await thread.rewind(1);
  expect(readStoredTurns(kept?.entries ?? [])).toHaveLength(1);
  await say(thread, "c");
  await thread.change({ approvalPolicy: "untrusted" });
  const { thread: fork, release } = await thread.fork({ turns: null, isEphemeral: false, client: silent });
  release();
  expect(fork).toMatchObject({ forkedFrom: thread.id, preview: "a", config: { approvalPolicy: "untrusted" } });
  expect(await say(fork, "d")).toMatchObject({ finalMessage: "Four." });
  const stored = await host.load(thread.id);
  expect(readStoredTurns(stored.entries)).toHaveLength(2);
  expect([...host.threads.keys()]).toEqual([thread.id, fork.id]);
});

test("closing a thread ends its turn, and later use of the handle fails because it is closed", async () => {
  await using home = await openModelHome({ script: { turns: [{ ...text("One."), delayMs: 60_000 }] } });
  await using host = open(home);
  const thread = await begin(host);
  const seen: NumberedEvent[] = [];
  const read = forEach(thread.events(), (event) => void seen.push(event));
  const turn = await thread.run("a");
  turn.release();
  await host.close(thread.id);
  expect(await turn.ended).toMatchObject({ type: "interrupted" });
  await expect(thread.run("b")).rejects.toMatchObject({ code: "thread_not_open" });
  await read;
  expect(seen.map(({ event }) => event.type)).toContain("turn.started");
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + (seen[0]?.seq ?? 0)));
});

test("a turn that is refused because another one runs changes neither settings nor model", async () => {
  await using home = await openModelHome({ script: { turns: [text("One.")] } });
  await using host = open(home);
  const thread = await begin(host);
  const { config } = thread;
  const refused = { change: { approvalPolicy: "untrusted" }, model: { model: "gpt-5-codex" } } as const;
  const [first, second] = await Promise.allSettled([thread.run("a"), thread.run("b", refused)]);
  expect(second).toMatchObject({ status: "rejected", reason: { code: "turn_runs" } });
  expect(thread.config).toEqual(config);
  if (first.status === "fulfilled") first.value.release();
  expect(first.status === "fulfilled" && (await first.value.ended)).toMatchObject({ finalMessage: "One." });
});

test("a turn can bring another model and other settings, which hold after it", async () => {
  await using home = await openModelHome({ script: { turns: [text("One."), anew(text("Two.")), text("Three.")] } });
  await using host = open(home);
  const thread = await begin(host);
  await say(thread, "a");
  const turn = await thread.run("b", { model: { model: "gpt-5-codex" }, change: { approvalPolicy: "untrusted" } });
  turn.release();
  await turn.ended;
  await say(thread, "c");
  expect(modelsOf(home)).toEqual(["gpt-5", "gpt-5-codex", "gpt-5-codex"]);
  expect(thread.config).toMatchObject({ model: "gpt-5-codex", approvalPolicy: "untrusted" });
});

test("a thread that closes while a turn starts refuses the turn", async () => {
  await using home = await openModelHome({ script: { turns: [text("One.")] } });
  await using host = open(home);
  const thread = await begin(host);
  const run = thread.run("a");
  await Promise.all([expect(run).rejects.toMatchObject({ code: "thread_not_open" }), host.close(thread.id)]);
});

test("a host that is disposed closes also a thread that is still being opened", async () => {
  await using home = await openModelHome({ script: { turns: [] } });
  const host = open(home);
  const opening = host.open({ origin, asked, client: silent });
  await host[Symbol.asyncDispose]();
  const { thread } = await opening;
  await expect(thread.run("a")).rejects.toMatchObject({ code: "thread_not_open" });
});

test("a client that fails at one event between turns gets the reason, and the events that follow", async () => {
  await using home = await openModelHome({ script: { turns: [text("One.")] } });
  await using host = open(home);
  const seen: string[] = [];
  const tell: ThreadClient["tell"] = async (event) => {
    seen.push(event.type === "warning" ? event.message : event.type);
    if (seen.length === 1) throw new Error("the client broke");
  };
  const thread = await begin(host, { ...silent, tell });
  await say(thread, "a");
  expect(seen.slice(0, 3)).toEqual(["thread.started", "This is a bug in unroll: the client broke", "turn.started"]);
});

test("a resumed thread that wakes does not repeat what it reported when it was opened", async () => {
  await using home = await openModelHome({ script: { turns: [text("One."), text("Two."), text("Three.")] } });
  await using host = open(home, 0);
  const { id } = await begin(host).then(async (thread) => (await say(thread, "a"), thread));
  await host.close(id);
  const seen: string[] = [];
  const client: ThreadClient = { ...silent, tell: async ({ type }) => void seen.push(type) };
  const stored = await host.load(id);
  const { thread, release } = await host.open({ origin: { type: "resumed", stored }, asked: {}, client });
  release();
  await say(thread, "b");
  await say(thread, "c");
  expect(seen.filter((type) => type === "thread.started")).toHaveLength(1);
});

test("a fork of a thread in plan mode is in plan mode, too, and gets the earlier settings back when it leaves", async () => {
  await using home = await openModelHome({ script: { turns: [text("One.")] } });
  await using host = open(home);
  const thread = await begin(host);
  await say(thread, "a");
  const { sandboxSettings } = thread.config;
  await thread.setPlanMode(true);
  const { thread: fork, release } = await thread.fork({ turns: null, isEphemeral: false, client: silent });
  release();
  expect(fork).toMatchObject({ isPlanning: true, config: { sandboxSettings: { mode: "read-only" } } });
  await fork.setPlanMode(false);
  expect(fork.config.sandboxSettings).toEqual(sandboxSettings);
});

async function resume(host: ThreadHost, id: string, more: object = {}): Promise<HostedThread<ThreadClient>> {
  const stored = await host.load(id);
  const { thread, release } = await host.open({
    origin: { type: "resumed", stored },
    asked: more,
    client: silent,
  });
  release();
  return thread;
}

test("a resumed thread is in plan mode as before, and the settings that plan mode replaced come back; a requested sandbox ends it", async () => {
  await using home = await openModelHome({ script: { turns: [text("One."), text("Two.")] } });
  const planned = async (): Promise<string> => {
    await using host = open(home);
    const thread = await begin(host);
    await say(thread, "a");
    await thread.setPlanMode(true);
    return thread.id;
  };
  const id = await planned();
  {
    await using host = open(home);
    const thread = await resume(host, id);
    expect(thread).toMatchObject({ isPlanning: true, config: { sandboxSettings: { mode: "read-only" } } });
    await say(thread, "b");
    expect(JSON.stringify(home.model.requests[1]?.input)).toContain("<plan_mode>");
  }
  {
    await using host = open(home);
    const thread = await resume(host, id, { sandbox: "workspace-write" });
    expect(thread).toMatchObject({ isPlanning: false, config: { sandboxSettings: { mode: "workspace-write" } } });
  }
  await using host = open(home);
  const thread = await resume(host, id);
  expect(thread).toMatchObject({ isPlanning: false, config: { sandboxSettings: { mode: "read-only" } } });
});

test("a thread that left plan mode and was resumed has the settings from before plan mode", async () => {
  await using home = await openModelHome({ script: { turns: [text("One.")] } });
  await using first = open(home);
  const { id } = await (async () => {
    const thread = await begin(first);
    await say(thread, "a");
    await thread.setPlanMode(true);
    return thread;
  })();
  await first.close(id);
  await using second = open(home);
  const thread = await resume(second, id);
  await thread.setPlanMode(false);
  expect(thread.config).toMatchObject({ sandboxSettings: { mode: "danger-full-access" }, approvalPolicy: "never" });
  await second.close(id);
  await using third = open(home);
  expect(await resume(third, id)).toMatchObject({
    isPlanning: false,
    config: { sandboxSettings: { mode: "danger-full-access" }, approvalPolicy: "never" },
  });
});

test("a compaction is a turn that can be interrupted, and leaves the thread as it was", async () => {
  const long = text("a word ".repeat(20_000));
  await using home = await openModelHome({ script: { turns: [long, long, text("On."), text("On.")] } });
  await using host = open(home);
  const thread = await begin(host);
  for (const input of ["a", "b"]) await say(thread, input);
  const turn = await thread.compact();
  await expect(thread.run("c")).rejects.toMatchObject({ code: "turn_runs" });
  thread.interrupt(turn.id);
  turn.release();
  expect(await turn.ended).toMatchObject({ type: "interrupted" });
  await say(thread, "c");
  const [, second] = home.model.requests;
  expect(home.model.requests.at(-1)?.input.slice(0, second?.input.length)).toEqual(second?.input);
});

test("in plan mode nothing is changed, and the model gets a plan mode message; after it, the earlier settings apply", async () => {
  const touch: Turn = { items: [{ call: "exec_command", arguments: { cmd: "touch made", login: false } }] };
  await using home = await openModelHome({ script: { turns: [touch, text("# Plan: x"), touch, text("Done.")] } });
  await using host = open(home);
  const thread = await begin(host);
  const { sandboxSettings } = thread.config;
  await thread.setPlanMode(true);
  expect(thread).toMatchObject({ isPlanning: true, config: { sandboxSettings: { mode: "read-only" } } });
  await say(thread, "a");
  expect(JSON.stringify(home.model.requests[0]?.input)).toContain("<plan_mode>");
  expect(JSON.stringify(home.model.requests[1]?.input)).not.toContain("Exit code: 0");
  await thread.setPlanMode(false);
  expect(thread).toMatchObject({ isPlanning: false, config: { sandboxSettings } });
  await say(thread, "b");
  expect(JSON.stringify(home.model.requests[3]?.input)).toContain("Exit code: 0");
});

test("a thread with a settled config asks before it changes its model, and its journal can be read without being saved", async () => {
  await using home = await openModelHome({ script: { turns: [text("One."), text("Two.")] } });
  await using host = open(home);
  const settled = await host.loadConfig(null);
  const questions: string[] = [];
  const { thread, release } = await host.open({
    origin: { ...origin, isEphemeral: true },
    asked: { settled },
    client: { takes: ["prefix.break"], tell: async () => {}, ask: async ({ type }) => (questions.push(type), null) },
  });
  release();
  await say(thread, "a");
  await expect(thread.chooseModel({ settled: { ...settled, model: "gpt-5-mini" } })).rejects.toMatchObject({
    code: "other_model",
  });
  expect(questions).toEqual(["prefix.break"]);
  await thread.send("by the way");
  await say(thread, "b");
  expect(readStoredTurns(await thread.entries()).flatMap(({ steps }) => steps.map(({ type }) => type))).toEqual([
    "said",
    "item",
    "said",
    "said",
    "item",
  ]);
  await expect(host.load(thread.id)).rejects.toThrow();
});

test("a side question sends the thread's bytes under its cache key, and nothing of it stays in the thread", async () => {
  const change = { items: [{ call: "exec_command", arguments: { cmd: "echo x > side.txt" } }] };
  const turns = [text("One."), anew(change), text("It cannot be changed."), anew(text("Two."))];
  await using home = await openModelHome({ script: { turns }, checks: { prefix: false } });
  await using host = open(home);
  const told: string[] = [];
  const thread = await begin(host, { ...silent, tell: async ({ type }) => void told.push(type) });
  await say(thread, "a");
  await thread.send("for later");
  const before = { told: [...told], entries: await thread.entries(), config: thread.config };
  const asking = thread.askAside("what is left?", new AbortController().signal);
  const outcome = await forEach(asking, () => {});
  expect(outcome).toMatchObject({ type: "completed", finalMessage: "It cannot be changed." });
  expect({ told, entries: await thread.entries(), config: thread.config }).toEqual(before);
  expect([...host.threads.keys()]).toEqual([thread.id]);
  expect(await readdir(home.work)).toEqual([]);
  await say(thread, "b");
  const [first, side, answered, next] = home.model.requests.map(({ body }) => body);
  const sentBefore = first?.["input"] as readonly unknown[];
  const sentAside = side?.["input"] as readonly unknown[];
  expect(sentAside.slice(0, sentBefore.length)).toEqual(sentBefore);
  for (const key of ["instructions", "tools", "model", "prompt_cache_key"]) expect(side?.[key]).toEqual(first?.[key]);
  expect(JSON.stringify(sentAside)).toContain("what is left?");
  expect(JSON.stringify(sentAside)).not.toContain("for later");
  expect(JSON.stringify(answered?.["input"])).toMatch(/Read-only file system|Permission denied|refused/);
  expect(JSON.stringify(next)).toContain("for later");
  expect(JSON.stringify(next)).not.toMatch(/what is left|cannot be changed|side_question/);
});
