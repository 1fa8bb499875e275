import { noTokenUsage } from "../event/token-usage.ts";
import { parseRequestHead } from "../request/parse-request-head.ts";
import { withAuthor } from "../thread/item-author.ts";
import type { JournalEntry } from "../thread/journal.ts";
import { encodeJournalEntry, parseSentItem } from "../thread/parse-journal-entry.ts";
import type { ThreadMeta, ThreadStore } from "../thread/thread-store.ts";

/** One promise of a `ThreadStore`. */
export interface StoreCase {
  /** A sentence: the name of a test. */
  readonly name: string;
  /** `open`: the same threads as another process has them. None are there at first. Throws an `Error` if the promise is broken. */
  readonly run: (open: () => Promise<ThreadStore>) => Promise<void>;
}

export const turn: JournalEntry = { type: "turn.started", turnId: "own" };

/** All kinds of entries; their texts are such as `JSON.stringify` would not write. */
export function listEntries(threadId: string): readonly JournalEntry[] {
  const head = parseRequestHead(new TextEncoder().encode('{"model":"m","instructions":"Be \\u00e9xact.","input":['));
  const user = toItem('{"type":"message","role":"user","content":[{"type":"input_text","text":"Caf\\u00e9 \\/ tea"}]}');
  const call = toItem('{"type":"function_call", "call_id":"a","name":"run","arguments":"{}","n":1.0}');
  const output = toItem('{"type":"function_call_output","call_id":"a","output":"\u2028 line"}');
  const odd = toItem('{"type":"of_tomorrow",\n "a":1,\n "a":2}');
  const said = toItem('{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}');
  const shown = { id: "item_0", type: "tool_call", call_id: "a", tool: "run", arguments: {} } as const;
  const text = { type: "message", role: "user", content: [{ type: "input_text", text: "A skill." }] } as const;
  const skill = withAuthor(text, { type: "harness", fragment: "skill" });
  return [
    { type: "thread.opened", threadId, model: "m", provider: "p", head },
    { type: "note", key: "told", value: { permissions: "{}", environment: "{}" } },
    { type: "turn.started", turnId: "one" },
    user,
    call,
    output,
    {
      type: "item.ended",
      item: { ...shown, output: "\u2028 line", status: "completed", started_at: 1, duration_ms: 2 },
    },
    odd,
    said,
    { type: "item.ended", item: { id: "item_1", type: "agent_message", text: "Done." } },
    {
      type: "turn.ended",
      turnId: "one",
      outcome: { type: "completed", finalMessage: "Done.", usage: noTokenUsage },
      nextItem: 2,
    },
    { type: "note", key: "waiting", value: [skill] },
  ];
}

function toItem(text: string): Extract<JournalEntry, { readonly type: "item" }> {
  const item = parseSentItem({ item: text });
  if (item === null) throw new Error(`not an item: ${text}`);
  return { type: "item", item };
}

/** Whether an entry is part of what is sent: a resumed thread may lack other old entries. */
export function isOfTurns({ type }: JournalEntry): boolean {
  return ["thread.opened", "turn.started", "item", "turn.ended"].includes(type);
}

export function toMeta(threadId: string, more: Partial<ThreadMeta> = {}): ThreadMeta {
  return { threadId, cwd: "/work here", userAgent: "suite/1.0.0", modelProvider: "p", forkedFrom: null, ...more };
}

export async function write(store: ThreadStore, threadId: string, more: Partial<ThreadMeta> = {}): Promise<void> {
  await using journal = await store.create(toMeta(threadId, more));
  for (const entry of listEntries(threadId)) journal.record(entry);
  await journal.settled();
}

export async function listIds(store: ThreadStore, query: Parameters<ThreadStore["list"]>[0]): Promise<string> {
  return joinIds(store.list(query));
}

/** `id: name` of each, in the order of the ids. */
export async function listNames(store: ThreadStore, query: Parameters<ThreadStore["list"]>[0]): Promise<string> {
  const names: string[] = [];
  for await (const { threadId, name } of store.list(query)) names.push(`${threadId}: ${name}`);
  return names.toSorted().join(" ");
}

export async function listOpenIds(store: ThreadStore): Promise<string> {
  return (await store.upkeep.listOpen()).map(({ threadId }) => threadId).join(" ");
}

export async function collectIds(
  store: ThreadStore,
  query: Parameters<ThreadStore["upkeep"]["collect"]>[0],
): Promise<string> {
  return joinIds(store.upkeep.collect(query));
}

/** In the order of the ids: threads that are written in one millisecond have no other. */
async function joinIds(threads: AsyncIterable<{ readonly threadId: string }>): Promise<string> {
  const ids: string[] = [];
  for await (const { threadId } of threads) ids.push(threadId);
  return ids.toSorted().join(" ");
}

export async function readAll(store: ThreadStore, threadId: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of store.upkeep.export(threadId)) text += decoder.decode(bytes, { stream: true });
  return text;
}

/** In parts that end anywhere. */
export async function* cut(text: string): AsyncGenerator<Uint8Array, void> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100);
}

export async function drain(values: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of values);
}

function withoutTime(entry: JournalEntry): JournalEntry {
  if (entry.type !== "turn.started" && entry.type !== "turn.ended") return entry;
  const { at: _at, ...rest } = entry;
  return rest;
}

/** Apart from the times that a store adds to turns. */
export function same(found: readonly JournalEntry[], expected: readonly JournalEntry[]): void {
  const [a, b] = [found, expected].map((entries) =>
    entries.map((entry) => toSorted(encodeJournalEntry(withoutTime(entry)))).join("\n"),
  );
  equal(a, b);
}

/** Sorts members by name. Sent bytes are text here, and stay unchanged. */
function toSorted(json: string): string {
  return JSON.stringify(JSON.parse(json), (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}

export function equal(found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`expected:\n${String(expected)}\nfound:\n${String(found)}`);
}

/** `code`: null for any. */
export async function rejects(promise: Promise<unknown>, code: string | null): Promise<void> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error(`expected an error with the code ${code}`);
  if (code !== null && Reflect.get(error, "code") !== code)
    throw new Error(`expected an error with the code ${code}`, { cause: error });
}
