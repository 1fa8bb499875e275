import {
  collectIds,
  cut,
  drain,
  equal,
  listEntries,
  listIds,
  listNames,
  listOpenIds,
  readAll,
  rejects,
  same,
  turn,
  write,
  type StoreCase,
} from "./suite-tools.ts";

/** The promises of the upkeep of a store. */
export const upkeepCases: readonly StoreCase[] = [
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
    name: "a thread goes out and in byte for byte, also a damaged one, and replaces none",
    async run(open) {
      const store = await open();
      await write(store, "one");
      const bytes = await readAll(store, "one");
      await rejects(store.upkeep.import(cut(bytes)), "thread_exists");
      equal(await readAll(store, "one"), bytes);
      await store.upkeep.remove("one");
      for (const text of [bytes, `${bytes}{"torn`]) {
        equal((await (await open()).upkeep.import(cut(text))).threadId, "one");
        equal(await readAll(store, "one"), text);
        same((await store.load("one")).entries, listEntries("one"));
        equal(await listIds(store, {}), "one");
        equal((await store.upkeep.remove("one")).threadId, "one");
      }
      await rejects(store.upkeep.import(cut("{}\n")), "thread_unreadable");
      await rejects(drain(store.upkeep.export("one")), "thread_missing");
    },
  },
  {
    name: "a repair takes out what cannot be read, keeps the rest byte for byte and the old thread aside, and does not count as a use",
    async run(open) {
      const store = await open();
      for (const id of ["one", "two"]) await write(store, id);
      const [whole, last] = [await readAll(store, "one"), await store.find("last")];
      same((await store.load("one")).entries, listEntries("one"));
      const { aside: none, repairs: nothing } = await store.upkeep.repair("one");
      equal(`${none} ${nothing.length}`, "null 0");
      equal(await store.find("last"), last);
      await store.upkeep.remove("one");
      const lines = whole.split("\n");
      const broken = [...lines.slice(0, 3), "{}}", ...lines.slice(3)].join("\n");
      await store.upkeep.import(cut(broken));
      const held = await (await open()).resume("two");
      await rejects(store.upkeep.repair("two"), "thread_locked");
      await held.journal[Symbol.asyncDispose]();
      const { threadId, aside, repairs } = await store.upkeep.repair("one");
      equal(`${threadId} ${repairs.length} ${aside === null}`, "one 1 false");
      equal(await readAll(await open(), "one"), whole);
      same((await store.load("one")).entries, listEntries("one"));
      equal(await listIds(store, {}), "one two");
      const resumed = await (await open()).resume("one");
      resumed.journal.record(turn);
      await resumed.journal[Symbol.asyncDispose]();
      same((await store.load("one")).entries, [...listEntries("one"), turn]);
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
