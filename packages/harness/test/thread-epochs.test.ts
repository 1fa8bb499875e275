import { join } from "node:path";
import type { ModelClient, Thread } from "@unroll/harness";
import {
  type Answer,
  type Journal,
  type JournalEntry,
  listStoredTurns,
  type NumberedEvent,
  type Person,
  type Question,
  type ThreadStore,
} from "@unroll/protocol";
import { openThreadStore } from "@unroll/rollout";
import type { Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

const said = (text: string): Turn => ({ items: [{ reasoning: "Hm." }, { text }] });
const anew = (turn: Turn): Turn => ({ ...turn, newEpoch: true });
const waitForInput: Turn = {
  items: [{ call: "exec_command", arguments: { cmd: "read line", tty: true, yield_time_ms: 250, login: false } }],
};

function openStore(world: ThreadWorld): ThreadStore {
  return openThreadStore({ codexHome: join(world.home, ".codex"), clock: { now: Date.now }, pid: process.pid });
}

function listenTo(thread: Thread): { readonly told: NumberedEvent["event"][]; readonly ended: Promise<void> } {
  const told: NumberedEvent["event"][] = [];
  const listen = async (): Promise<void> => {
    for await (const { event } of thread.events({ ofTurns: false })) told.push(event);
  };
  return { told, ended: listen() };
}

test("another model answers an open thread in a new epoch: commands keep running, settings stay, the next process resumes with it", async () => {
  const turns = [waitForInput, said("One."), anew(said("Two.")), said("Three.")];
  await using world = await openThreadWorld({ script: { turns } });
  const store = openStore(world);
  await using thread = await world.openThread({ store });
  const { told } = listenTo(thread);
  await runToEnd(thread, "a");
  thread.change({ sandboxMode: "read-only" });
  const config = await thread.chooseModel(await world.loadConfig(["model=gpt-5"]), { allowCacheBreak: true });
  expect(config).toMatchObject({ model: "gpt-5", sandboxSettings: { mode: "read-only" } });
  expect(thread.config).toBe(config);
  expect(thread.backgroundCommands.list()).toMatchObject([{ command: "read line", isRunning: true }]);
  const { outcome } = await runToEnd(thread, "b");
  expect(outcome).toMatchObject({ type: "completed", finalMessage: "Two." });
  const cause = "the model was changed from gpt-5-codex of test to gpt-5 of test";
  expect(told.filter(({ type }) => type === "epoch.opened")).toMatchObject([{ cause, shared_items: 0 }]);
  const { id } = thread;
  await thread[Symbol.asyncDispose]();
  await using next = await world.openThread({ store, resume: id, config: ["model=gpt-5"] });
  await runToEnd(next, "c");
  expect(world.model.requests.map(({ body }) => body["model"])).toEqual([
    "gpt-5-codex",
    "gpt-5-codex",
    "gpt-5",
    "gpt-5",
  ]);
  expect(JSON.stringify(world.model.requests[2]?.input)).not.toContain("encrypted_content");
  expect(world.model.violations).toEqual([]);
});

test("without approval the thread keeps its model and its cache; the model cannot change during a turn", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One."), said("Two.")] } });
  const asked: Question[] = [];
  const person = {
    answer: async (question: Question) => (asked.push(question), { type: "denied", reason: null } as const),
  };
  await using thread = await world.openThread({ person });
  await runToEnd(thread, "a");
  const other = await world.loadConfig(["model=gpt-5"]);
  await expect(thread.chooseModel(other)).rejects.toMatchObject({ code: "other_model" });
  expect(asked).toMatchObject([{ type: "prefix.break", opened: { model: "gpt-5-codex" } }]);
  expect(thread.config.model).toBe("gpt-5-codex");
  const turn = thread.run("b", { signal: new AbortController().signal });
  await turn.next();
  await expect(thread.chooseModel(other)).rejects.toMatchObject({ code: "thread_busy" });
  for await (const _ of turn);
  expect(world.model.requests.map(({ body }) => body["model"])).toEqual(["gpt-5-codex", "gpt-5-codex"]);
  expect(world.model.violations).toEqual([]);
});

test("choosing a model before the first message costs nothing: there is no question and no new epoch", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One."), said("Two.")] } });
  const store = openStore(world);
  await using thread = await world.openThread({ store });
  await thread.chooseModel(await world.loadConfig(["model=gpt-5"]));
  const { events } = await runToEnd(thread, "a");
  expect(events.map(({ type }) => type)).not.toContain("epoch.opened");
  const { id } = thread;
  await thread[Symbol.asyncDispose]();
  await using fresh = await world.openThread({ config: ["model=gpt-5"] });
  await runToEnd(fresh, "a");
  const [first, second] = world.model.requests;
  expect(first?.body["instructions"]).toBe(second?.body["instructions"]);
  expect(first?.body["tools"]).toEqual(second?.body["tools"]);
  expect(first?.input).toEqual(second?.input);
  expect((await store.load(id)).repairs).toEqual([]);
});

test("closing a thread withdraws the question whether its model may be changed", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One.")] } });
  const asked = Promise.withResolvers<AbortSignal>();
  const person = {
    answer: (_: Question, signal: AbortSignal) => {
      asked.resolve(signal);
      return new Promise<never>((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason as Error)),
      );
    },
  };
  const thread = await world.openThread({ person });
  await runToEnd(thread, "a");
  const chosen = thread.chooseModel(await world.loadConfig(["model=gpt-5"]));
  const withdrawn = asked.promise;
  await withdrawn;
  await Promise.all([expect(chosen).rejects.toThrow(), thread[Symbol.asyncDispose]()]);
  expect((await withdrawn).aborted).toBe(true);
});

test("after a rewind the model never sees the removed turns; their commands end, and the next process resumes from there", async () => {
  const turns = [said("One."), waitForInput, said("Two."), anew(said("Three.")), said("Four.")];
  await using world = await openThreadWorld({ script: { turns } });
  const store = openStore(world);
  await using thread = await world.openThread({ store });
  const { told } = listenTo(thread);
  await runToEnd(thread, "a");
  await runToEnd(thread, "b");
  expect(await thread.rewind(1)).toBe(1);
  expect(thread.backgroundCommands.list()).toMatchObject([{ isRunning: false }]);
  await runToEnd(thread, "c");
  const cause = "the last turn was removed";
  expect(told.filter(({ type }) => type === "epoch.opened")).toMatchObject([{ cause }]);
  const [, second, , rewound] = world.model.requests;
  expect(rewound?.input.slice(0, -1)).toEqual(second?.input.slice(0, -1));
  expect(rewound?.input.at(-1)).toMatchObject({ content: [{ text: "c" }] });
  const { id } = thread;
  await thread[Symbol.asyncDispose]();
  expect(listStoredTurns((await store.load(id)).entries)).toHaveLength(2);
  await using next = await world.openThread({ store, resume: id });
  await runToEnd(next, "d");
  expect(world.model.requests.at(-1)?.input.slice(0, rewound?.input.length)).toEqual(rewound?.input);
  expect(world.model.violations).toEqual([]);
});

test("a rewind past a change of the model sends the earlier messages to the current model", async () => {
  await using world = await openThreadWorld({
    script: { turns: [said("One."), anew(said("Two.")), anew(said("Three."))] },
  });
  const store = openStore(world);
  await using thread = await world.openThread({ store });
  await runToEnd(thread, "a");
  await thread.chooseModel(await world.loadConfig(["model=gpt-5"]), { allowCacheBreak: true });
  await runToEnd(thread, "b");
  expect(await thread.rewind(9)).toBe(2);
  await runToEnd(thread, "c");
  const last = world.model.requests.at(-1);
  expect(last?.body["model"]).toBe("gpt-5");
  expect(JSON.stringify(last?.input)).not.toContain("One.");
  expect(world.model.violations).toEqual([]);
});

test("a thread that is not saved cannot be rewound, and an empty one has no turns to remove", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One.")] } });
  await using silent = await world.openThread({ store: openStore(world) });
  expect(await silent.rewind(1)).toBe(0);
  await using unkept = await world.openThread();
  await runToEnd(unkept, "a");
  await expect(unkept.rewind(1)).rejects.toMatchObject({ code: "no_thread_store" });
});

/** Resolves `asked` when a question comes, and answers it with no when `deny` is called. */
function createSlowPerson(): { readonly person: Person; readonly asked: Promise<void>; readonly deny: () => void } {
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<Answer>()];
  const person: Person = { answer: () => (asked.resolve(), answered.promise) };
  return { person, asked: asked.promise, deny: () => answered.resolve({ type: "denied", reason: null }) };
}

test("a setting that changes while another model is chosen stays changed, whether the model changes or not", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One."), anew(said("Two.")), said("Three.")] } });
  const other = await world.loadConfig(["model=gpt-5"]);
  await using thread = await world.openThread();
  await runToEnd(thread, "a");
  const choosing = thread.chooseModel(other, { allowCacheBreak: true });
  thread.change({ sandboxMode: "read-only" });
  expect(await choosing).toMatchObject({ model: "gpt-5", sandboxSettings: { mode: "read-only" } });

  const { person, asked, deny } = createSlowPerson();
  const entries: JournalEntry[] = [];
  const journal: Journal = { record: (entry) => void entries.push(entry), settled: async () => {} };
  await using refused = await world.openThread({ person, journal });
  await runToEnd(refused, "a");
  const chosen = refused.chooseModel(other);
  await asked;
  refused.change({ sandboxMode: "read-only" });
  deny();
  await expect(chosen).rejects.toMatchObject({ code: "other_model" });
  const kept = { model: "gpt-5-codex", sandboxSettings: { mode: "read-only" } };
  expect(refused.config).toMatchObject(kept);
  const recorded = { type: "settings", settings: { model: "gpt-5-codex", sandboxMode: "read-only" } };
  expect(entries.findLast(({ type }) => type === "settings")).toMatchObject(recorded);
});

test("the context window that a server tells late stays with its model", async () => {
  const listed = Promise.withResolvers<unknown>();
  const model = {
    // oxlint-disable-next-line require-yield -- it answers nothing
    async *stream() {
      return { type: "completed", responseId: "r", usage: null } as const;
    },
    reach: () => listed.promise,
  };
  await using world = await openThreadWorld({ script: { turns: [] } });
  const { person, asked, deny } = createSlowPerson();
  await using thread = await world.openThread({ person, model: model as unknown as ModelClient });
  await runToEnd(thread, "a");
  const choosing = thread.chooseModel(await world.loadConfig(["model=gpt-5"]));
  await asked;
  listed.resolve({ type: "reached", models: null, entries: [{ id: "gpt-5-codex", max_model_len: 8192 }] });
  for (let tick = 0; tick < 50; tick += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(thread.config.modelFamily.contextWindow).not.toBe(8192);
  deny();
  await expect(choosing).rejects.toMatchObject({ code: "other_model" });
  expect(thread.config.modelFamily.contextWindow).toBe(8192);
});

test("undoing a compaction brings back no turn that was removed", async () => {
  const turns = [said("One."), said("Two."), anew(said("Three."))];
  await using world = await openThreadWorld({ script: { turns } });
  await using thread = await world.openThread({ store: openStore(world) });
  await runToEnd(thread, "a");
  await runToEnd(thread, "b");
  expect(await thread.rewind(1)).toBe(1);
  await expect(thread.undoCompaction()).rejects.toMatchObject({ code: "nothing_to_undo" });
  await runToEnd(thread, "c");
  expect(JSON.stringify(world.model.requests.at(-1)?.input)).not.toContain("Two.");
});
