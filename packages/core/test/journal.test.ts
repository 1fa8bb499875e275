import { createThreadState, type StepGuard } from "@unroll/core";
import type { Journal, JournalEntry } from "@unroll/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  answer,
  call,
  createFakeModel,
  createFakeThread,
  createFakeTools,
  runToEnd,
  said,
  user,
} from "./fake-ports.ts";

function createMemoryJournal(): Journal & { readonly entries: readonly JournalEntry[] } {
  const entries: JournalEntry[] = [];
  return { entries, record: (entry) => void entries.push(entry), settled: () => Promise.resolve() };
}

const decoder = new TextDecoder();

test("a thread continues from its journal with the very bytes that were sent", async () => {
  const journal = createMemoryJournal();
  // an item whose JSON has another layout than ours
  const odd = {
    type: "unknown",
    itemType: "of_tomorrow",
    json: '{ "type":"of_tomorrow", "n": 1.0, "t":"\\u00e9" }',
  } as const;
  const first = createFakeModel([answer(odd, call("a")), answer(said("Done."))]);
  await runToEnd(createFakeThread(first, { journal }), "Go");

  const second = createFakeModel([answer(call("a")), answer(said("Again."))]);
  const resumed = createFakeThread(second, { journal, entries: [...journal.entries] });
  const { events } = await runToEnd(resumed, "Once more");
  const sent = first.bodies[1]?.slice(0, -"]}".length) ?? "";
  expect(second.bodies[0]?.startsWith(sent)).toBe(true);
  expect(events.flatMap((event) => (event.type === "item.completed" ? [event.item.id] : []))).toEqual([
    "item_2",
    "item_3",
  ]);
  const outputs = resumed.ports.state.transcript.items.filter((item) => item.type === "function_call_output");
  expect(outputs.map((item) => item.call_id)).toEqual(["a", "a_2"]);
});

test("a thread resumes from any epoch of its journal", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 3 })), { maxLength: 12 }),
      (steps) => {
        const journal = createMemoryJournal();
        const { transcript } = createThreadState({ journal });
        for (const step of steps) {
          if (typeof step === "string") transcript.append(user(step));
          else transcript.openEpoch(step.map(user), "shorter");
        }
        const restored = createThreadState({ entries: journal.entries }).transcript;
        expect(decoder.decode(restored.encoded)).toBe(decoder.decode(transcript.encoded));
        expect(restored.items).toEqual(transcript.items);
      },
    ),
  );
});

test("a resumed thread knows the token count of its last response, and of which items, until the epoch changes", async () => {
  const journal = createMemoryJournal();
  const thread = createFakeThread(createFakeModel([answer(call("a")), answer(said("Done."))]), { journal });
  await runToEnd(thread, "Go");
  const { state } = thread.ports;
  expect(state.lastUsage).not.toBe(null);
  state.transcript.append(user("More."));
  const restored = createThreadState({ journal, entries: [...journal.entries] });
  expect([restored.lastUsage, restored.lastSpan]).toEqual([state.lastUsage, state.lastSpan]);
  state.openEpoch([user("Anew.")], "it was full");
  const anew = createThreadState({ entries: journal.entries });
  expect([anew.lastUsage, anew.lastSpan]).toEqual([null, { sent: 0, held: 0 }]);
});

test("notes go through the journal and come back", () => {
  const journal = createMemoryJournal();
  const { notes } = createThreadState({ journal });
  notes.set("approved", ["a"]);
  notes.set("approved", ["a", "b"]);
  notes.set("mcpTold", ["mcp__x__y"]);
  const restored = createThreadState({ entries: journal.entries });
  expect(restored.notes.get("approved")).toEqual(["a", "b"]);
  expect(restored.notes.get("mcpTold")).toEqual(["mcp__x__y"]);
  expect(restored.notes.get("plan")).toBe(null);
});

test("the journal is settled before each request and before tools run", async () => {
  const steps: string[] = [];
  const journal: Journal = {
    record: ({ type }) => void steps.push(type),
    settled: async () => void steps.push("settled"),
  };
  const model = createFakeModel([answer(call("a")), answer(said("Done."))]);
  const original = model.stream.bind(model);
  model.stream = (request, signal) => {
    steps.push("sent");
    return original(request, signal);
  };
  await runToEnd(createFakeThread(model, { journal, tools: createFakeTools(() => steps.push("tools")) }), "Go");
  expect(steps).toEqual(
    "turn.started item items.reserved settled sent request item settled tools item settled sent request item turn.ended settled".split(
      " ",
    ),
  );
});

test("a second turn of a process that is cut off leaves its items' ids behind", async () => {
  const journal = createMemoryJournal();
  const thread = createFakeThread(createFakeModel([answer(said("One.")), answer(said("Two."))]), { journal });
  await runToEnd(thread, "Go");
  await runToEnd(thread, "On");
  const { entries } = journal;
  const cut = entries.slice(0, -1); // the end of the second turn
  expect(entries.at(-1)?.type).toBe("turn.ended");
  expect(createThreadState({ entries: cut }).nextItemId()).toBe("item_1000");
  expect(createThreadState({ entries }).nextItemId()).toBe("item_2");
});

test("a journal that cannot be written stops the turn before the model or a tool does anything", async () => {
  let failures = 0;
  const full = (after: number): Journal => ({
    record: () => {},
    settled: () => (failures++ < after ? Promise.resolve() : Promise.reject(new Error("no space left on the disk"))),
  });
  const unsent = createFakeModel([]);
  const { outcome } = await runToEnd(createFakeThread(unsent, { journal: full(0) }), "Go");
  expect(outcome).toMatchObject({
    type: "failed",
    error: { code: "journal_failed", message: expect.stringContaining("no space left on the disk") },
  });
  expect(unsent.bodies).toEqual([]);

  failures = 0;
  const tools = createFakeTools(() => expect.unreachable("no tool may run"));
  const thread = createFakeThread(createFakeModel([answer(call("a"))]), { journal: full(1), tools });
  const stopped = await runToEnd(thread, "Go");
  expect(stopped.outcome).toMatchObject({ type: "failed", error: { code: "journal_failed" } });
  expect(stopped.events.filter(({ type }) => type === "item.completed")).toHaveLength(1);
  expect(thread.ports.state.transcript.openCalls).toEqual([]);
});

test("a thread whose turn was cut off closes its calls, tells the model, and gives no item id out again", async () => {
  const journal = createMemoryJournal();
  const first = createThreadState({ journal });
  first.beginTurn("turn-1");
  first.transcript.append(user("Go"), call("a"));
  await first.settle();
  const shown = [first.nextItemId(), first.nextItemId()];

  const model = createFakeModel([answer(said("Done."))]);
  const resumed = createFakeThread(model, { journal, entries: [...journal.entries] });
  const { events } = await runToEnd(resumed, "Go on");
  const { input } = JSON.parse(model.bodies[0] ?? "") as { input: { type: string; output?: string }[] };
  expect(input.map(({ type }) => type)).toEqual([
    "message",
    "function_call",
    "function_call_output",
    "message",
    "message",
  ]);
  expect(input[2]?.output).toContain("may have run in part");
  const ids = events.flatMap((event) => (event.type === "item.completed" ? [event.item.id] : []));
  expect(ids.filter((id) => shown.includes(id))).toEqual([]);
  const again = createThreadState({ entries: journal.entries });
  expect(again.transcript.items).toEqual(resumed.ports.state.transcript.items);
});

test("an epoch keeps the bytes of the items that it takes over", () => {
  const bytes = new TextEncoder().encode('{"type":"message", "role":"user","content":[]}');
  const item = { type: "message", role: "user", content: [] } as const;
  const { transcript } = createThreadState({ entries: [{ type: "item", item: { item, bytes } }] });
  expect(transcript.openEpoch([...transcript.items], "shorter")).toBe(1);
  expect(decoder.decode(transcript.encoded)).toBe(decoder.decode(bytes));
});

test("a journal that never settles does not hold up an interruption, nor does anything run", async () => {
  const controller = new AbortController();
  const journal: Journal = {
    record: () => {},
    settled: () => {
      controller.abort();
      return new Promise(() => {});
    },
  };
  const model = createFakeModel([]);
  const { outcome } = await runToEnd(createFakeThread(model, { journal }), "Go", controller.signal);
  expect(outcome.type).toBe("interrupted");
  expect(model.bodies).toEqual([]);
});

test("a thread that cannot be written down asks no guard what to do", async () => {
  const failures: (string | null)[] = [];
  const watch: StepGuard = {
    // oxlint-disable-next-line require-yield -- it has nothing to tell
    async *before({ failure }) {
      failures.push(failure?.code ?? null);
      return { type: "go" };
    },
  };
  const journal: Journal = { record: () => {}, settled: () => Promise.reject(new Error("full")) };
  await runToEnd(createFakeThread(createFakeModel([]), { journal, guards: [watch] }), "Go");
  expect(failures).toEqual([null]);
});
