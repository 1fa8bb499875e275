// The promises of a `ThreadStore`, as cases for any test runner. Apart from the other entries: only tests load it.
import { noTokenUsage } from "./event/token-usage.ts";
import { parseRequestHead } from "./request/parse-request-head.ts";
import { withAuthor } from "./thread/item-author.ts";
import type { JournalEntry } from "./thread/journal.ts";
import { encodeJournalEntry, parseSentItem } from "./thread/parse-journal-entry.ts";
import type { ThreadMeta, ThreadStore } from "./thread/thread-store.ts";

/** One promise of a `ThreadStore`. */
export interface StoreCase {
  /** A sentence: the name of a test. */
  readonly name: string;
  /** `open`: the same threads as another process has them. None are there at first. Throws an `Error` if the promise is broken. */
  readonly run: (open: () => Promise<ThreadStore>) => Promise<void>;
}

/** The promises of every store: run each case on a new, empty store. */
export const threadStoreCases: readonly StoreCase[] = [
  {
    name: "a thread comes back as it was recorded, byte for byte, as soon as its journal has settled",
    async run(open) {
      const entries = listEntries("one");
      await using journal = await (await open()).create(toMeta("one"));
      for (const entry of entries) journal.record(entry);
      await journal.settled();
      same((await (await open()).load("one")).entries, entries);
    },
  },
  {
    name: "a thread is kept from its first turn on, with all that came before",
    async run(open) {
      const [before, begun] = [listEntries("one").slice(0, 2), await open()];
      await using journal = await begun.create(toMeta("one"));
      for (const entry of before) journal.record(entry);
      await journal.settled();
      equal(journal.isKept, false);
      await rejects(begun.load("one"), "thread_missing");
      journal.record(turn);
      await journal.settled();
      equal(journal.isKept, true);
      same((await begun.load("one")).entries, [...before, turn]);
    },
  },
  {
    name: "a thread that starts with the entries of another one is kept with them, from its own first turn on",
    async run(open) {
      const [entries, begun] = [listEntries("one"), await open()];
      await using journal = await begun.create(toMeta("one"), entries);
      await journal.settled();
      await rejects(begun.load("one"), "thread_missing");
      journal.record(turn);
      await journal.settled();
      same((await begun.load("one")).entries, [...entries, turn]);
    },
  },
  {
    name: "a resumed thread continues behind its last entry",
    async run(open) {
      await write(await open(), "one");
      const resumed = await (await open()).resume("one");
      same(resumed.entries.filter(isOfTurns), listEntries("one").filter(isOfTurns));
      equal(resumed.journal.isKept, true);
      resumed.journal.record(turn);
      await resumed.journal[Symbol.asyncDispose]();
      same((await (await open()).load("one")).entries, [...listEntries("one"), turn]);
    },
  },
  {
    name: "one process at a time holds a thread, and the others can read it",
    async run(open) {
      await write(await open(), "one");
      const { journal } = await (await open()).resume("one");
      const other = await open();
      await rejects(other.resume("one"), "thread_locked");
      await rejects(other.upkeep.remove("one"), "thread_locked");
      same((await other.load("one")).entries, listEntries("one"));
      await journal[Symbol.asyncDispose]();
      await (await other.resume("one")).journal[Symbol.asyncDispose]();
    },
  },
  {
    name: "a thread is found by the beginning of its id, and only if it is the only one",
    async run(open) {
      const store = await open();
      for (const id of ["ab-1", "ab-2", "c"]) await write(store, id);
      equal((await store.load("ab-2")).threadId, "ab-2");
      equal((await store.load("ab-1")).threadId, "ab-1");
      equal((await store.load("c")).threadId, "c");
      await rejects(store.load("ab"), "thread_ambiguous");
      await rejects(store.load("d"), "thread_missing");
      await rejects(store.resume("d"), "thread_missing");
    },
  },
  {
    name: "threads are listed by their folder, and the last one is found there",
    async run(open) {
      const store = await open();
      await write(store, "one", { cwd: "/one" });
      await write(store, "two", { cwd: "/two" });
      equal(await listIds(store, {}), "one two");
      equal(await listIds(store, { cwd: "/two" }), "two");
      equal(await store.find("last", { cwd: "/one" }), "one");
      equal(await store.find("last", { cwd: "/three" }), null);
    },
  },
  {
    name: "a list is searched by name in any case, read in pages, and each page continues behind the last thread",
    async run(open) {
      const store = await open();
      for (const id of ["a", "b", "c", "d", "e"]) {
        await write(store, id);
        if (id !== "c") await store.upkeep.rename(id, `Tea of 100% ${id}`);
      }
      const all: string[] = [];
      for await (const { threadId } of store.list()) all.push(threadId);
      const pages: string[] = [];
      for (let after: string | undefined; ;) {
        const page: string[] = [];
        for await (const { threadId } of store.list({ limit: 2, ...(after !== undefined && { after }) }))
          page.push(threadId);
        if (page.length === 0) break;
        pages.push(...page);
        after = page.at(-1);
      }
      equal(pages.join(" "), all.join(" "));
      equal(await listIds(store, { search: "TEA of 100%" }), "a b d e");
      equal(await listIds(store, { search: "tea of 1__%" }), "");
      equal(await listIds(store, { search: "tea", cwd: "/none" }), "");
    },
  },
  {
    name: "a thread is followed from any entry on while another process writes it",
    async run(open) {
      const entries = listEntries("one");
      await using journal = await (await open()).create(toMeta("one"));
      for (const entry of entries) journal.record(entry);
      await journal.settled();
      const done = new AbortController();
      const seen: JournalEntry[] = [];
      for await (const some of (await open()).watch("one", { from: 2, signal: done.signal })) {
        seen.push(...some);
        if (seen.length > entries.length - 2) done.abort();
        else journal.record(turn);
      }
      same(seen, [...entries.slice(2), turn]);
      await rejects(drain((await open()).watch("none", { signal: new AbortController().signal })), "thread_missing");
    },
  },
  {
    name: "a thread has a place, whether or not it is open, and the store can be tried out",
    async run(open) {
      const store = await open();
      await write(store, "one-1");
      const { place, threadId } = await store.upkeep.find("one");
      equal(threadId, "one-1");
      const { journal } = await store.resume("one-1");
      equal((await (await open()).upkeep.find("one-1")).place, place);
      await journal[Symbol.asyncDispose]();
      equal((await store.upkeep.remove("one-1")).place, place);
      await rejects(store.upkeep.find("one-1"), "thread_missing");
      equal((await store.upkeep.check()).warning, null);
    },
  },
  {
    name: "an archived thread is not listed and not resumed until it is unarchived, and can be read",
    async run(open) {
      const store = await open();
      await write(store, "one");
      equal((await store.upkeep.archive("one")).threadId, "one");
      equal(await listIds(store, {}), "");
      equal(await listIds(store, { archived: true }), "one");
      equal(await store.find("last"), null);
      await rejects(store.resume("one"), "thread_archived");
      await rejects(store.upkeep.archive("one"), "thread_archived");
      same((await store.load("one")).entries, listEntries("one"));
      await store.upkeep.unarchive("one");
      equal(await store.find("last"), "one");
      await rejects(store.upkeep.unarchive("one"), null);
    },
  },
  {
    name: "a thread that is not open is renamed, archived or not, and does not count as used",
    async run(open) {
      const store = await open();
      for (const id of ["one", "two"]) await write(store, id);
      const first = await store.find("last");
      await store.upkeep.rename("one", "Tea");
      await store.upkeep.rename("two", "Cocoa");
      equal(await store.find("last"), first);
      await store.upkeep.rename("two", null);
      await store.upkeep.archive("one");
      equal(await listNames(store, { archived: true }), "one: Tea");
      equal(await listNames(store, {}), "two: null");
      await store.upkeep.rename("one", "Coffee");
      equal(await listNames(store, { archived: true }), "one: Coffee");
      const { journal } = await store.resume("two");
      await rejects(store.upkeep.rename("two", "Milk"), "thread_locked");
      equal(await listOpenIds(store), "two");
      await journal[Symbol.asyncDispose]();
      equal(await listOpenIds(store), "");
    },
  },
  {
    name: "a deleted thread is gone, archived or not",
    async run(open) {
      const store = await open();
      for (const id of ["one", "two"]) await write(store, id);
      await store.upkeep.archive("two");
      for (const id of ["one", "two"]) await store.upkeep.remove(id);
      await rejects(store.load("one"), "thread_missing");
      await rejects(store.upkeep.remove("two"), "thread_missing");
      equal((await listIds(store, {})) + (await listIds(store, { archived: true })), "");
    },
  },
  {
    name: "threads that were not used since a time are collected and deleted, none that is held or was used",
    async run(open) {
      const store = await open();
      for (const id of ["held", "old", "put-away"]) await write(store, id);
      await store.upkeep.archive("put-away");
      const { journal } = await store.resume("held");
      equal(await collectIds(store, { usedBefore: Infinity, archived: false }), "old");
      equal(await collectIds(store, { usedBefore: Infinity, archived: true }), "old put-away");
      equal(await collectIds(store, { usedBefore: 0, archived: true }), "");
      equal(await store.upkeep.removeUnused("old", 0), false);
      equal(await store.upkeep.removeUnused("old", Number.MAX_SAFE_INTEGER), true);
      await rejects(store.load("old"), "thread_missing");
      await journal[Symbol.asyncDispose]();
      equal(await store.upkeep.sweep(), 0);
      equal(await listIds(store, {}), "held");
    },
  },
];

const turn: JournalEntry = { type: "turn.started", turnId: "own" };

/** All kinds of entries; their texts are such as `JSON.stringify` would not write. */
function listEntries(threadId: string): readonly JournalEntry[] {
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
function isOfTurns({ type }: JournalEntry): boolean {
  return ["thread.opened", "turn.started", "item", "turn.ended"].includes(type);
}

function toMeta(threadId: string, more: Partial<ThreadMeta> = {}): ThreadMeta {
  return { threadId, cwd: "/work here", userAgent: "suite/1.0.0", modelProvider: "p", forkedFrom: null, ...more };
}

async function write(store: ThreadStore, threadId: string, more: Partial<ThreadMeta> = {}): Promise<void> {
  await using journal = await store.create(toMeta(threadId, more));
  for (const entry of listEntries(threadId)) journal.record(entry);
  await journal.settled();
}

async function listIds(store: ThreadStore, query: Parameters<ThreadStore["list"]>[0]): Promise<string> {
  return joinIds(store.list(query));
}

/** `id: name` of each, in the order of the ids. */
async function listNames(store: ThreadStore, query: Parameters<ThreadStore["list"]>[0]): Promise<string> {
  const names: string[] = [];
  for await (const { threadId, name } of store.list(query)) names.push(`${threadId}: ${name}`);
  return names.toSorted().join(" ");
}

async function listOpenIds(store: ThreadStore): Promise<string> {
  return (await store.upkeep.listOpen()).map(({ threadId }) => threadId).join(" ");
}

async function collectIds(store: ThreadStore, query: Parameters<ThreadStore["upkeep"]["collect"]>[0]): Promise<string> {
  return joinIds(store.upkeep.collect(query));
}

/** In the order of the ids: threads that are written in one millisecond have no other. */
async function joinIds(threads: AsyncIterable<{ readonly threadId: string }>): Promise<string> {
  const ids: string[] = [];
  for await (const { threadId } of threads) ids.push(threadId);
  return ids.toSorted().join(" ");
}

async function drain(values: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of values);
}

function withoutTime(entry: JournalEntry): JournalEntry {
  if (entry.type !== "turn.started" && entry.type !== "turn.ended") return entry;
  const { at: _at, ...rest } = entry;
  return rest;
}

/** Apart from the times that a store adds to turns. */
function same(found: readonly JournalEntry[], expected: readonly JournalEntry[]): void {
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

function equal(found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`expected:\n${String(expected)}\nfound:\n${String(found)}`);
}

/** `code`: null for any. */
async function rejects(promise: Promise<unknown>, code: string | null): Promise<void> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error(`expected an error with the code ${code}`);
  if (code !== null && Reflect.get(error, "code") !== code)
    throw new Error(`expected an error with the code ${code}`, { cause: error });
}
