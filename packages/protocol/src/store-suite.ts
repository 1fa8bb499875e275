// The promises of a `ThreadStore`, as cases for any test runner. Apart from the other entries: only tests load it.
import {
  drain,
  equal,
  isOfTurns,
  listEntries,
  listIds,
  rejects,
  same,
  toMeta,
  turn,
  write,
  type StoreCase,
} from "./store-suite/suite-tools.ts";
import { upkeepCases } from "./store-suite/upkeep-cases.ts";
import type { JournalEntry } from "./thread/journal.ts";

export type { StoreCase } from "./store-suite/suite-tools.ts";

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
    name: "the threads that a thread started as sub-agents are listed with their depth, archived ones apart",
    async run(open) {
      const store = await open();
      await write(store, "one");
      await write(store, "child", { parent: { threadId: "one", depth: 1 } });
      await write(store, "grandchild", { parent: { threadId: "child", depth: 2 } });
      equal(await listIds(store, { parent: "one" }), "child");
      equal(await listIds(store, { parent: "grandchild" }), "");
      const depths: unknown[] = [];
      for await (const { parent } of store.list({ parent: "child" })) depths.push(parent?.threadId, parent?.depth);
      equal(depths.join(" "), "child 2");
      await store.upkeep.archive("child");
      equal(await listIds(store, { parent: "one" }), "");
      equal(await listIds(store, { parent: "one", archived: true }), "child");
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
  ...upkeepCases,
];
