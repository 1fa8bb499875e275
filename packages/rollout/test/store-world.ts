import { randomUUIDv7 } from "node:crypto";
import { appendFileSync, globSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type CompletedRequest,
  type JournalEntry,
  noTokenUsage,
  type RequestCache,
  type ResponseItem,
  type SentItem,
  type ThreadItem,
  type ThreadMeta,
  type ThreadStore,
  parseRequestHead,
  toRequestHead,
} from "@unroll/protocol";
import { openThreadStore, type ThreadStoreOptions } from "@unroll/rollout";

/** A Codex home of its own, gone when it is disposed. */
export interface StoreWorld extends AsyncDisposable {
  readonly codexHome: string;
  readonly store: ThreadStore;
  /** All that is in `sessions`, relative to it. */
  files(): readonly string[];
}

export async function openStoreWorld(options: Partial<ThreadStoreOptions> = {}): Promise<StoreWorld> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-rollout-test-"));
  return {
    codexHome: folder.path,
    store: openThreadStore({ codexHome: folder.path, clock: { now: Date.now }, pid: process.pid, ...options }),
    files: () =>
      globSync("**/*", { cwd: join(folder.path, "sessions"), withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}

export async function listAll<Value>(values: AsyncIterable<Value>): Promise<readonly Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

export function toMeta(more: Partial<ThreadMeta> = {}): ThreadMeta {
  const [threadId, cwd] = [randomUUIDv7(), "/work here"];
  return { threadId, cwd, userAgent: "test/1.0.0", modelProvider: "test", forkedFrom: null, ...more };
}

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

export function toSent(text: string): SentItem {
  return { item: JSON.parse(text) as ResponseItem, bytes: encode(text) };
}

const headText = '{"model":"gpt-5","instructions":"Be \\u00e9xact.","tools":[],"input":[';

const usage = {
  input_tokens: 7,
  cached_input_tokens: 2,
  cache_write_input_tokens: 0,
  output_tokens: 3,
  reasoning_output_tokens: 1,
};

export function toRequest(responseId: string, more: Partial<CompletedRequest> = {}): CompletedRequest {
  const cache: RequestCache = {
    prefix_bytes: 900,
    shared_bytes: 80,
    shared_tokens: 4000,
    cached_tokens: 2,
    cache_write_tokens: 0,
    idle_ms: 400_000,
    miss: { type: "expired", cause: "the request before was 7 min ago" },
  };
  const sentTo = { model: "gpt-5", provider: "test", serviceTier: null };
  return {
    responseId,
    ...sentTo,
    sentAt: 1_700_000_000_000,
    usage,
    cache,
    isBeside: false,
    isInherited: false,
    ...more,
  };
}

/** A thread with all kinds of entries. Its texts are such as `JSON.stringify` would not write. */
export function listEntries(threadId: string): readonly JournalEntry[] {
  const user = '{"type":"message","role":"user","content":[{"type":"input_text","text":"Caf\\u00e9 \\/ tea"}]}';
  const call = '{"type":"function_call", "call_id":"a","name":"run","arguments":"{\\"n\\":1.0}","n":1.0}';
  const output = '{"type":"function_call_output","call_id":"a","output":"\u2028 line"}';
  const odd = '{"type":"of_tomorrow",\n "a":1,\n "a":2}';
  const said = '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}';
  const facts = { call_id: "a", started_at: 1_700_000_000_000, duration_ms: 12 };
  const ran = {
    id: "item_0",
    type: "tool_call",
    tool: "run",
    arguments: { n: 1 },
    output: "\u2028 line",
    status: "completed",
    ...facts,
  } as const;
  const unknown: SentItem = { item: { type: "unknown", itemType: "of_tomorrow", json: odd }, bytes: encode(odd) };
  return [
    { type: "thread.opened", threadId, model: "gpt-5", provider: "test", head: parseRequestHead(encode(headText)) },
    { type: "note", key: "told", value: { permissions: "{}", environment: "{}" } },
    { type: "turn.started", turnId: "one", at: 1_000 },
    { type: "item", item: toSent(user) },
    { type: "item", item: toSent(call) },
    { type: "item", item: toSent(output) },
    { type: "item.ended", item: ran },
    { type: "item", item: unknown },
    { type: "request", request: toRequest("resp_1") },
    { type: "item", item: toSent(said) },
    { type: "item.ended", item: { id: "item_1", type: "agent_message", text: "Done." } },
    {
      type: "turn.ended",
      turnId: "one",
      outcome: { type: "completed", finalMessage: "Done.", usage },
      nextItem: 2,
      at: 3_000,
    },
    { type: "epoch", cause: 'it was "full"', isFinal: false, items: [toSent(user), unknown, toSent(said)] },
    { type: "turn.started", turnId: "two", at: 4_000 },
    { type: "item", item: toSent(user.replace("tea", "coffee")) },
    { type: "turn.ended", turnId: "two", outcome: { type: "interrupted", usage }, nextItem: 3, at: 5_000 },
  ];
}

/** In a file of its own, closed again. */
export async function writeThread(
  world: StoreWorld,
  entries: (id: string) => readonly JournalEntry[],
  more: Partial<ThreadMeta> = {},
): Promise<{ readonly id: string; readonly path: string }> {
  const meta = toMeta(more);
  await using journal = await world.store.create(meta);
  for (const entry of entries(meta.threadId)) journal.record(entry);
  await journal.settled();
  const path = world.files().find((file) => file.endsWith(`${meta.threadId}.jsonl`)) ?? "";
  return { id: meta.threadId, path };
}

/** Ends with a line of another version, and one that is not JSON; its calls and outputs do not match. */
export async function writeBrokenThread(world: StoreWorld): Promise<{ readonly id: string; readonly path: string }> {
  const written = await writeThread(world, listBrokenEntries);
  appendFileSync(written.path, '{"timestamp":"x","type":"of_tomorrow","payload":{}}\nnot json\n');
  return written;
}

function listBrokenEntries(threadId: string): readonly JournalEntry[] {
  return [
    { type: "thread.opened", threadId, model: "gpt-5", provider: "test", head: toRequestHead({}) },
    { type: "turn.started", turnId: "one", at: 1_000 },
    { type: "item", item: toSent('{"type":"function_call_output","call_id":"none","output":"?"}') },
    { type: "item", item: toSent('{"type":"function_call","call_id":"a","name":"run\\u0000","arguments":"{}"}') },
    { type: "item", item: toSent('{"type":"custom_tool_call","call_id":"b","name":"patch","input":"x"}') },
    { type: "item", item: toSent('{"type":"function_call_output","call_id":"a","output":"ok"}') },
    {
      type: "turn.ended",
      turnId: "one",
      outcome: { type: "interrupted", usage: noTokenUsage },
      nextItem: 1,
      at: 3_000,
    },
  ];
}

/** Entries that are sent, which resuming needs, apart from the shown items, which it does not need. */
export function splitShown(entries: readonly JournalEntry[]): {
  readonly sent: readonly JournalEntry[];
  readonly shown: readonly ThreadItem[];
} {
  return {
    sent: entries.filter(({ type }) => type !== "item.ended" && type !== "told"),
    shown: entries.flatMap((entry) => (entry.type === "item.ended" ? [entry.item] : [])),
  };
}
