import { appendFileSync, copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type JournalEntry, listLiveItems, toRequestHead } from "@unroll/protocol";
import { openThreadStore } from "@unroll/rollout";
import { expect, test } from "vitest";
import { listAll, openStoreWorld, type StoreWorld, toRequest, toSent } from "./store-world.ts";

const threadId = "01a20022-2187-7ac0-b6b4-dc79acab60e7";
const now = Date.parse("2026-11-22T10:00:00.500Z");
const usage = {
  input_tokens: 7,
  cached_input_tokens: 2,
  cache_write_input_tokens: 0,
  output_tokens: 3,
  reasoning_output_tokens: 1,
};

/** A thread that Codex CLI 0.169 started: 54 lines, with the ordinals 0 to 53. */
function copyThread({ codexHome }: StoreWorld, name = "codex-0.169.0", id = threadId): string {
  const folder = join(codexHome, "sessions/2026/11/21");
  const path = join(folder, `rollout-2026-11-21T22-02-36-${id}.jsonl`);
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(import.meta.dirname, `../../../conformance/threads/${name}.jsonl`), path);
  return path;
}

interface Line {
  readonly ordinal?: number;
  readonly type: string;
  readonly payload: { readonly type?: string };
}

function readLines(path: string): readonly Line[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

interface TokenCount {
  readonly info: object;
}

const userItem = '{"type":"message","role":"user","content":[{"type":"input_text","text":"Caf\\u00e9"}]}';
const call = '{"type":"function_call", "call_id":"a","name":"run","arguments":"{\\"n\\":1.0}","n":1.0}';
const output = '{"type":"function_call_output","call_id":"a","output":"out"}';
const answer = '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}';

function listTurn(turnId: string): readonly JournalEntry[] {
  const settings = {
    cwd: "/home/someone/project",
    model: "gpt-5",
    approvalPolicy: "never",
    sandboxMode: "read-only",
    reasoningEffort: null,
    reasoningSummary: "auto",
  } as const;
  return [
    { type: "settings", settings },
    { type: "turn.started", turnId },
    ...[userItem, call, output].map((text): JournalEntry => ({ type: "item", item: toSent(text) })),
    { type: "request", request: toRequest("resp_1") },
    { type: "item", item: toSent(answer) },
    { type: "turn.ended", turnId, outcome: { type: "completed", finalMessage: "Done.", usage }, nextItem: 2 },
  ];
}

async function addTo(world: StoreWorld, id: string, entries: readonly JournalEntry[]): Promise<void> {
  const { journal } = await world.store.resume(id);
  for (const entry of entries) journal.record(entry);
  await journal[Symbol.asyncDispose]();
}

test("lines that are added to a thread of Codex CLI 0.169 have its next ordinals and tell it who said what; those that only unroll reads have none", async () => {
  await using world = await openStoreWorld({ clock: { now: () => now } });
  const path = copyThread(world);
  const epoch: JournalEntry = { type: "epoch", cause: "it was full", isFinal: false, items: [toSent(userItem)] };
  await addTo(world, threadId, [...listTurn("one"), epoch]);
  const added = readFileSync(path, "utf8").trimEnd().split("\n").slice(54);
  const told = { thread_id: threadId, turn_id: "one" };
  const times = { started_at_ms: now, completed_at_ms: now };
  const line = (ordinal: number, type: string, payload: unknown): object => ({
    timestamp: "2026-11-22T10:00:00.500Z",
    type,
    ordinal,
    payload,
  });
  const own = { timestamp: "2026-11-22T10:00:00.500Z", type: "unroll", payload: expect.anything() as unknown };
  expect(added.map((text) => JSON.parse(text) as unknown)).toEqual([
    own,
    line(54, "event_msg", {
      type: "task_started",
      turn_id: "one",
      started_at: Math.floor(now / 1000),
      model_context_window: null,
    }),
    line(55, "turn_context", expect.objectContaining({ turn_id: "one", cwd: "/home/someone/project" })),
    { ...line(56, "response_item", JSON.parse(userItem)), author: { type: "user", parts: [0] } },
    line(57, "event_msg", {
      type: "item_completed",
      ...told,
      item: { type: "UserMessage", id: "one-1", content: [{ type: "text", text: "Café", text_elements: [] }] },
      ...times,
    }),
    line(58, "response_item", JSON.parse(call)),
    line(59, "response_item", JSON.parse(output)),
    own,
    line(60, "event_msg", expect.objectContaining({ type: "token_count" })),
    line(61, "response_item", JSON.parse(answer)),
    line(62, "event_msg", {
      type: "item_completed",
      ...told,
      item: { type: "AgentMessage", id: "one-2", content: [{ type: "Text", text: "Done." }] },
      ...times,
    }),
    line(63, "event_msg", {
      type: "task_complete",
      turn_id: "one",
      last_agent_message: "Done.",
      started_at: Math.floor(now / 1000),
      completed_at: Math.floor(now / 1000),
      duration_ms: 0,
    }),
    own,
    line(
      64,
      "compacted",
      expect.objectContaining({ message: "it was full", replacement_history: [JSON.parse(userItem)] }),
    ),
  ]);
  // the items come back as the bytes that they were sent by
  const { entries } = await world.store.load(threadId);
  const texts = entries.flatMap((entry) => (entry.type === "item" ? [new TextDecoder().decode(entry.item.bytes)] : []));
  expect(texts.slice(-4)).toEqual([userItem, call, output, answer]);
  expect((await listAll(world.store.list()))[0]).toMatchObject({ turns: 4 });
});

test("an interrupted turn in such a thread is reported as interrupted, and the process that resumes it continues the numbering", async () => {
  await using world = await openStoreWorld();
  const path = copyThread(world);
  const interrupted: JournalEntry = {
    type: "turn.ended",
    turnId: "one",
    outcome: { type: "interrupted", usage },
    nextItem: 1,
  };
  await addTo(world, threadId, [{ type: "turn.started", turnId: "one" }]);
  await addTo(world, threadId, [interrupted, { type: "turn.started", turnId: "two" }]);
  const numbered = readLines(path).filter(({ ordinal }) => ordinal !== undefined);
  expect(numbered.map(({ ordinal }) => ordinal)).toEqual(numbered.map((_, index) => index));
  expect(numbered.slice(54).map(({ payload }) => payload)).toMatchObject([
    { type: "task_started", turn_id: "one" },
    { type: "token_count" },
    { type: "turn_aborted", turn_id: "one", reason: "interrupted" },
    { type: "task_started", turn_id: "two" },
  ]);
});

test("lines in a thread of Codex CLI 0.92 have no ordinals, and say who said what as that does", async () => {
  await using world = await openStoreWorld();
  const id = "01a20021-fa32-7142-a8f1-816c20560b0d";
  const path = copyThread(world, "codex-0.92.0", id);
  const { length } = readLines(path);
  await addTo(world, id, listTurn("one"));
  const added = readLines(path).slice(length);
  expect(added.filter((line) => "ordinal" in line)).toEqual([]);
  expect(added.filter(({ type }) => type === "event_msg").map(({ payload }) => payload.type)).toEqual([
    "task_started",
    "user_message",
    "token_count",
    "agent_message",
    "task_complete",
  ]);
});

test("a thread of Codex CLI 0.169 to which unroll 0.1 added lines without ordinals loads, and the next line counts on", async () => {
  await using world = await openStoreWorld();
  const id = "01a20777-ca2c-7f63-97e0-8e201b504e6d";
  const path = copyThread(world, "codex-0.169.0-and-unroll", id);
  const { entries, repairs } = await world.store.load(id);
  expect(repairs).toEqual([]);
  const said = listLiveItems(entries).map(({ item }) => JSON.stringify(item));
  const marks = said.flatMap((text) => /(?:said|answer)-\d|(?<!echo )out-\d/.exec(text)?.[0] ?? []);
  expect(marks).toEqual([1, 2, 3, 4].flatMap((leg) => [`said-${leg}`, `out-${leg}`, `answer-${leg}`]));
  await addTo(world, id, [{ type: "turn.started", turnId: "one" }]);
  expect(readLines(path).at(-1)).toMatchObject({ ordinal: 50, payload: { type: "task_started" } });
});

test("a repaired line keeps its ordinal, and an added output gets the next one", async () => {
  await using world = await openStoreWorld();
  const path = copyThread(world);
  const broken = { type: "function_call", call_id: "b", name: "run\u0000", arguments: "{}" };
  const append = (line: object): void => appendFileSync(path, `${JSON.stringify({ timestamp: "t", ...line })}\n`);
  append({ ordinal: 54, type: "response_item", payload: broken });
  append({ ordinal: 55, type: "event_msg", payload: { type: "token_count" } });
  const upkeep = openThreadStore({ codexHome: world.codexHome, clock: { now: () => now }, pid: process.pid }).upkeep;
  expect((await upkeep.repair(threadId)).repairs).toHaveLength(2);
  expect(readLines(path).slice(54)).toMatchObject([
    { ordinal: 54, payload: { name: "run_" } },
    { ordinal: 55, payload: { type: "token_count" } },
    { ordinal: 56, payload: { type: "function_call_output", call_id: "b" } },
  ]);
});

test.for([
  ["0.92.0", "01a20021-fa32-7142-a8f1-816c20560b0d", 40_214],
  ["0.169.0", threadId, 44_753],
  ["0.169.0-and-unroll", "01a20777-ca2c-7f63-97e0-8e201b504e6d", 600],
] as const)(
  "the token totals of a thread of Codex CLI %s continue from its last count",
  async ([version, id, before]) => {
    await using world = await openStoreWorld({ clock: { now: () => now } });
    const path = copyThread(world, `codex-${version}`, id);
    const old = readLines(path).length;
    await addTo(world, id, listTurn("one"));
    await addTo(world, id, listTurn("two")); // resumed once more
    const totals = readLines(path)
      .slice(old)
      .flatMap(({ payload }) => (payload.type === "token_count" ? [(payload as TokenCount).info] : []));
    const used = usage.input_tokens;
    expect(totals).toMatchObject([
      { last_token_usage: { input_tokens: used }, total_token_usage: { input_tokens: before + used } },
      { last_token_usage: { input_tokens: used }, total_token_usage: { input_tokens: before + 2 * used } },
    ]);
  },
);

test("a thread that unroll starts has no ordinals", async () => {
  await using world = await openStoreWorld();
  const meta = { threadId: "x", cwd: "/", userAgent: "test/1", modelProvider: "p", forkedFrom: null };
  await using journal = await world.store.create(meta);
  journal.record({ type: "thread.opened", threadId: "x", model: "m", provider: "p", head: toRequestHead({}) });
  for (const entry of listTurn("one")) journal.record(entry);
  await journal.settled();
  const [path = ""] = world.files().filter((file) => file.endsWith("-x.jsonl"));
  expect(readLines(path).filter((line) => "ordinal" in line)).toEqual([]);
});
