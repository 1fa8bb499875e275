import { join } from "node:path";
import type { Journal, JournalEntry, Person } from "@unroll/protocol";
import type { Thread } from "@unroll/harness";
import { defineTool } from "@unroll/tools";
import { openThreadStore } from "@unroll/rollout";
import { expect, test } from "vitest";
import * as z from "zod";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

const permissions = ["sandbox_mode=workspace-write", "approval_policy=on-request"];
const said = (text: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text }] });
const deployCall = { call: "deploy", arguments: {} };
const call = { items: [deployCall] };

interface Recording {
  readonly entries: JournalEntry[];
  readonly journal: Journal;
  /** How often the tool had run when each entry was recorded; the last one: at the end. */
  readonly ran: number[];
  count: number;
  asked: number;
}

function startRecording(): Recording {
  const recording: Recording = {
    entries: [],
    ran: [],
    count: 0,
    asked: 0,
    journal: {
      record(entry) {
        recording.entries.push(entry);
        recording.ran.push(recording.count);
      },
      settled: async () => {},
    },
  };
  return recording;
}

interface Run {
  readonly entries?: readonly JournalEntry[];
  readonly person?: Person;
}

/** Runs a turn with a tool that you are asked about. */
async function runTurn(world: ThreadWorld, input: string, run: Run = {}): Promise<Recording> {
  const recording = startRecording();
  const deploy = defineTool({
    name: "deploy",
    description: "Deploys.",
    input: z.strictObject({}),
    approval: "ask",
    async run() {
      recording.count += 1;
      return "deployed";
    },
  });
  const look = defineTool({
    name: "look",
    description: "Looks.",
    input: z.strictObject({}),
    concurrency: "shared",
    run: async () => "seen",
  });
  const person: Person = {
    answer(question, signal) {
      recording.asked += 1;
      return run.person ? run.person.answer(question, signal) : Promise.resolve({ type: "approved.once" });
    },
  };
  const { journal } = recording;
  await using thread = await world.openThread({ ...run, permissions, tools: [deploy, look], journal, person });
  await runToEnd(thread, input === "" ? [] : input);
  recording.ran.push(recording.count);
  return recording;
}

const isOf =
  (type: JournalEntry["type"]) =>
  (entry: JournalEntry): boolean =>
    entry.type === type;

test("a process that ends at any entry of a turn with a question runs the call once, and asks again if it had not begun", async () => {
  await using first = await openThreadWorld({ script: { turns: [call, said("Done.")] } });
  const whole = await runTurn(first, "Deploy it");
  expect({ ran: whole.count, asked: whole.asked }).toEqual({ ran: 1, asked: 1 });
  const [asked, started] = (["call.asked", "call.started"] as const).map((type) => whole.entries.findIndex(isOf(type)));
  expect(whole.entries.filter(({ type }) => type.startsWith("call."))).toHaveLength(2);
  const begun = whole.entries.findIndex(isOf("turn.started"));
  for (let kept = begun + 1; kept <= whole.entries.length; kept += 1) {
    await using world = await openThreadWorld({ script: { turns: [said("Over."), said("Over.")] } });
    const again = await runTurn(world, "", { entries: whole.entries.slice(0, kept) });
    const isWaiting = kept > (asked ?? 0) && kept <= (started ?? 0);
    expect({ kept, ran: again.count, asked: again.asked }).toEqual({
      kept,
      ran: isWaiting ? 1 : 0,
      asked: isWaiting ? 1 : 0,
    });
    expect((whole.ran[kept] ?? 0) + again.count).toBeLessThanOrEqual(1);
    expect(world.model.violations).toEqual([]);
    // once more, from the entries of both processes
    const entries = [...whole.entries.slice(0, kept), ...again.entries];
    const third = await runTurn(world, "Go on", { entries });
    expect({ kept, ran: third.count, violations: world.model.violations }).toEqual({ kept, ran: 0, violations: [] });
  }
});

/** The entries of a process that ended while you were asked. */
async function cutAtQuestion(): Promise<readonly JournalEntry[]> {
  await using world = await openThreadWorld({ script: { turns: [call, said("Done.")] } });
  const { entries } = await runTurn(world, "Deploy it");
  return takeToQuestion(entries);
}

const takeToQuestion = (entries: readonly JournalEntry[]): readonly JournalEntry[] =>
  entries.slice(0, entries.findIndex(isOf("call.asked")) + 1);

test("a process that ends while it asks again leaves the question open", async () => {
  const cut = await cutAtQuestion();
  await using second = await openThreadWorld({ script: { turns: [said("Over.")] } });
  const again = await runTurn(second, "", { entries: cut });
  await using world = await openThreadWorld({ script: { turns: [said("Over.")] } });
  const third = await runTurn(world, "", { entries: [...cut, ...takeToQuestion(again.entries)] });
  expect({ ran: third.count, asked: third.asked, violations: world.model.violations }).toEqual({
    ran: 1,
    asked: 1,
    violations: [],
  });
});

test("another message ends a call that waits for an answer: it does not run", async () => {
  const entries = await cutAtQuestion();
  await using world = await openThreadWorld({ script: { turns: [said("Over.")] } });
  const next = await runTurn(world, "Something else", { entries });
  expect({ ran: next.count, asked: next.asked, violations: world.model.violations }).toEqual({
    ran: 0,
    asked: 0,
    violations: [],
  });
  expect(JSON.stringify(world.model.requests.at(-1)?.input)).toContain("It was not run.");
});

test("a call that was asked about again and denied does not run", async () => {
  const entries = await cutAtQuestion();
  await using world = await openThreadWorld({ script: { turns: [said("Over.")] } });
  const person: Person = { answer: async () => ({ type: "denied", reason: null }) };
  const next = await runTurn(world, "", { entries, person });
  expect({ ran: next.count, asked: next.asked, violations: world.model.violations }).toEqual({
    ran: 0,
    asked: 1,
    violations: [],
  });
});

test("a thread that waits for an answer is read back from its file, and can be forked, rewound and given another model", async () => {
  const entries = await cutAtQuestion();
  await using world = await openThreadWorld({ script: { turns: [said("Over.")] } });
  const store = openThreadStore({ codexHome: join(world.home, ".codex"), clock: { now: Date.now }, pid: process.pid });
  for (const threadId of ["one", "two"]) {
    const meta = { threadId, cwd: world.work, userAgent: "test", modelProvider: "test", forkedFrom: null };
    await using journal = await store.create(meta);
    for (const entry of entries) journal.record(entry);
  }
  await using harness = await world.openHarness({ store, permissions });
  const listWaiting = async (opening: Promise<Thread>): Promise<number> => {
    await using thread = await opening;
    return thread.waitingCalls.length;
  };
  const config = await world.loadConfig(["model=gpt-5-mini"]);
  expect([
    await listWaiting(harness.resumeThread("one")),
    await listWaiting(harness.resumeThread("one")),
    await listWaiting(harness.forkThread("one")),
    await listWaiting(harness.resumeThread("one", { config, allowCacheBreak: true })),
    await listWaiting(harness.resumeThread("two")),
  ]).toEqual([1, 1, 0, 0, 1]);
  await using thread = await harness.resumeThread("two");
  expect(await thread.rewind(1)).toBe(1);
  await runToEnd(thread, "Something else");
  expect(world.model.violations).toEqual([]);
});

const later: Person = { answer: async () => ({ type: "postponed" }) };

test.each([
  ["the process ended", {}],
  ["the answer was postponed", { person: later }],
])("calls of one answer get their outputs in call order, whichever of them waited because %s", async (_why, asking) => {
  const calls = { items: [deployCall, { call: "look", arguments: {} }, deployCall] };
  await using first = await openThreadWorld({ script: { turns: [calls, said("Done.")] } });
  const whole = await runTurn(first, "Deploy it", asking);
  for (let kept = whole.entries.findIndex(isOf("call.asked")); kept <= whole.entries.length; kept += 1)
    for (const input of ["", "Something else"]) {
      await using world = await openThreadWorld({ script: { turns: [said("Over."), said("Over.")] } });
      const again = await runTurn(world, input, { entries: whole.entries.slice(0, kept) });
      expect({ kept, input, violations: world.model.violations }).toEqual({ kept, input, violations: [] });
      expect((whole.ran[kept] ?? 0) + again.count).toBeLessThanOrEqual(2);
    }
});

test("an answer that is postponed ends the turn with the call open, and a later process asks again, wherever the first one ended", async () => {
  await using first = await openThreadWorld({ script: { turns: [call, said("Done.")] } });
  const whole = await runTurn(first, "Deploy it", { person: later });
  expect({ ran: whole.count, asked: whole.asked, requests: first.model.requests.length }).toEqual({
    ran: 0,
    asked: 1,
    requests: 1,
  });
  const end = whole.entries.findLast(isOf("turn.ended"));
  const message = "Your approval is needed: deploy. Resume the thread to be asked again.";
  expect(end).toMatchObject({ outcome: { type: "failed", error: { code: "approval_needed", message } } });
  const asked = whole.entries.findIndex(isOf("call.asked"));
  for (let kept = asked + 1; kept <= whole.entries.length; kept += 1) {
    await using world = await openThreadWorld({ script: { turns: [said("Over.")] } });
    const entries = whole.entries.slice(0, kept);
    const second = await runTurn(world, "", { entries, person: later });
    const third = await runTurn(world, "", { entries: [...entries, ...second.entries] });
    expect({ kept, asked: [second.asked, third.asked], ran: [second.count, third.count] }).toEqual({
      kept,
      asked: [1, 1],
      ran: [0, 1],
    });
    expect({ kept, violations: world.model.violations, requests: world.model.requests.length }).toEqual({
      kept,
      violations: [],
      requests: 1,
    });
    expect(JSON.stringify(world.model.requests[0]?.input)).toContain("deployed");
  }
});

test("a thread whose answer was postponed asks again, or ends the call when you say something else; calls beside it have run", async () => {
  const both = {
    items: [
      { call: "deploy", arguments: {} },
      { call: "look", arguments: {} },
    ],
  };
  await using world = await openThreadWorld({ script: { turns: [both, said("Done."), both, said("Over.")] } });
  const answers = ["postponed", "approved.once", "postponed"] as const;
  let asked = 0;
  const ran: string[] = [];
  const tools = (["deploy", "look"] as const).map((name) =>
    defineTool({
      name,
      description: `Does ${name}.`,
      input: z.strictObject({}),
      approval: name === "deploy" ? "ask" : "run",
      concurrency: "shared",
      async run() {
        ran.push(name);
        return name;
      },
    }),
  );
  const person: Person = { answer: async () => ({ type: answers[asked++] ?? "postponed" }) };
  await using thread = await world.openThread({ permissions, tools, person });
  const events = await runToEnd(thread, "Deploy it");
  expect(events.events.at(-1)).toMatchObject({ type: "turn.failed", error: { code: "approval_needed" } });
  expect({ ran: [...ran], waiting: thread.waitingCalls.length }).toEqual({ ran: ["look"], waiting: 1 });
  await thread.send("Quickly");
  await runToEnd(thread, []);
  expect({ ran: [...ran], waiting: thread.waitingCalls.length }).toEqual({ ran: ["look", "deploy"], waiting: 0 });
  expect(JSON.stringify(world.model.requests.at(-1)?.input)).toContain("Quickly");
  await runToEnd(thread, "Again");
  await runToEnd(thread, "Forget it");
  expect(ran).toEqual(["look", "deploy", "look"]);
  expect(JSON.stringify(world.model.requests.at(-1)?.input)).toContain("It was not run.");
  expect(world.model.violations).toEqual([]);
});
