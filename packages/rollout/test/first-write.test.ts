import {
  closeSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, extname } from "node:path";
import type { StoredJournal, ThreadStore } from "@unroll/protocol";
import {
  type AppendFile,
  type OpenAppendFile,
  openThreadStore,
  openThreadStoreOn,
  ThreadStoreError,
  type ThreadFiles,
} from "@unroll/rollout";
import { expect, test } from "vitest";
import { listAll, listEntries, openStoreWorld, type StoreWorld, toMeta, writeThread } from "./store-world.ts";

/** Called with each byte of a file that is on the disk; what it throws fails the write there. */
type OnByte = (written: number) => Promise<void>;

/** Every byte reaches the disk alone: what is there between two of them is what a kill leaves. */
function openSlowly(onByte: OnByte): OpenAppendFile {
  return async (path): Promise<AppendFile> => {
    const file = openSync(path, "w+");
    return {
      async write(bytes, position) {
        for (let n = 0; n < bytes.length; n++) {
          writeSync(file, bytes, n, 1, position + n);
          await onByte(position + n + 1);
        }
      },
      truncate: async (length) => ftruncateSync(file, length),
      sync: async () => fdatasyncSync(file),
      close: async () => closeSync(file),
    };
  };
}

function openSlowStore({ codexHome }: StoreWorld, onByte: OnByte): ThreadStore {
  return openThreadStore({ codexHome, clock: { now: Date.now }, pid: process.pid, openFile: openSlowly(onByte) });
}

/** Everything that another process finds of a thread, in every way. */
async function lookFor(store: ThreadStore, threadId: string): Promise<unknown> {
  const loaded = await store.load(threadId).catch((error: unknown) => error);
  const listed = (await listAll(store.list())).map((thread) => thread.threadId);
  return { loaded, listed, last: await store.find("last", {}) };
}

const nothing = { loaded: expect.objectContaining({ code: "thread_missing" }) as unknown, listed: [], last: null };
const full = Object.assign(new Error("full"), { code: "ENOSPC", errno: -28 });

test("a thread that is cut off at any byte of its first write is not there, and with the last one it is there whole", async () => {
  await using world = await openStoreWorld();
  const meta = toMeta();
  const entries = listEntries(meta.threadId).slice(0, 7);
  let [looks, day] = [0, ""];
  const found: unknown[] = [];
  const store = openSlowStore(world, async (written) => {
    if (day === "") day = dirname(world.files()[0] ?? "");
    const [name = "", ...more] = readdirSync(day).filter((each) => !/\.(?:lock|holder)$/.test(each));
    if (more.length > 0 || extname(name) !== ".part") throw new Error(`There is ${[name, ...more].join(", ")}.`);
    if (written % 100 === 0) found.push(await lookFor(world.store, meta.threadId));
    looks += 1;
  });
  const journal = await store.create(meta);
  for (const entry of entries) journal.record(entry);
  await journal.settled();
  expect(looks).toBeGreaterThan(1000);
  expect(found).toEqual(found.map(() => nothing));
  expect(await lookFor(world.store, meta.threadId)).toEqual({
    loaded: {
      threadId: meta.threadId,
      entries,
      path: world.files()[0],
      usedAt: expect.any(Number),
      facts: expect.anything(),
      repairs: [],
    },
    listed: [meta.threadId],
    last: meta.threadId,
  });
  await journal[Symbol.asyncDispose]();
  expect(world.files().map((file) => extname(file))).toEqual(expect.arrayContaining([".jsonl"]));
  expect(world.files().filter((file) => file.includes(".jsonl."))).toEqual([]);
});

test("on other files a thread is there whole or not at all, too", async () => {
  const kept = new Map<string, { bytes: Buffer }>();
  const meta = toMeta();
  const entries = listEntries(meta.threadId).slice(0, 7);
  let looks = 0;
  const openOn = (file: { bytes: Buffer }): AppendFile => ({
    async write(bytes, position) {
      for (let n = 0; n < bytes.length; n++) {
        file.bytes = Buffer.concat([file.bytes.subarray(0, position + n), bytes.subarray(n, n + 1)]);
        expect(kept.size).toBe(0);
        looks += 1;
      }
    },
    truncate: async (length) => void (file.bytes = file.bytes.subarray(0, length)),
    sync: async () => {},
    close: async () => {},
  });
  const files: ThreadFiles = {
    async find(threadId) {
      const size = kept.get(threadId)?.bytes.length;
      if (size === undefined) throw new ThreadStoreError("thread_missing", `There is no thread ${threadId}.`);
      return { threadId, place: threadId, isArchived: false, usedAt: null, size };
    },
    async read(id) {
      const bytes = kept.get(id)?.bytes ?? Buffer.alloc(0);
      return { read: async (to, ...[at, length, from]) => ({ bytesRead: bytes.copy(to, at, from, from + length) }) };
    },
    open: () => Promise.reject(new Error("It is not gone on with.")),
    async create(id) {
      const file = { bytes: Buffer.alloc(0) };
      return { ...openOn(file), publish: async () => void kept.set(id, file) };
    },
    hold: async () => ({ [Symbol.asyncDispose]: async () => {} }),
    async *list() {},
    upkeep: {} as ThreadFiles["upkeep"], // nothing is archived or deleted here
  };
  const store = openThreadStoreOn(files, { now: Date.now });
  const journal = await store.create(meta);
  for (const entry of entries) journal.record(entry);
  await journal.settled();
  expect(looks).toBeGreaterThan(1000);
  expect(await store.load(meta.threadId)).toEqual({
    threadId: meta.threadId,
    entries,
    usedAt: null,
    facts: expect.anything(),
    repairs: [],
  });
  await journal[Symbol.asyncDispose]();
});

/** A thread that finds no room in its first write. */
async function beginOnFullDisk(
  world: StoreWorld,
): Promise<{ readonly id: string; readonly journal: StoredJournal; readonly makeRoom: () => void }> {
  const room = { bytes: 700 };
  const store = openSlowStore(world, async (written) => {
    if (written > room.bytes) throw full;
  });
  const meta = toMeta();
  const journal = await store.create(meta);
  for (const entry of listEntries(meta.threadId)) journal.record(entry);
  await expect(journal.settled()).rejects.toThrow(/rollout-[^.]*\.jsonl cannot be written: .*space/);
  expect(await lookFor(world.store, meta.threadId)).toEqual(nothing);
  return { id: meta.threadId, journal, makeRoom: () => void (room.bytes = Infinity) };
}

test("a full disk during the first write is reported with the thread's file, and nothing is left behind", async () => {
  await using world = await openStoreWorld();
  const { journal } = await beginOnFullDisk(world);
  await expect(journal[Symbol.asyncDispose]()).rejects.toThrow(/cannot be written/);
  expect(world.files()).toEqual([]);
});

test("where there is room again, what could not be written first is there whole", async () => {
  await using world = await openStoreWorld();
  const { id, journal, makeRoom } = await beginOnFullDisk(world);
  makeRoom();
  await journal[Symbol.asyncDispose]();
  expect((await world.store.load(id)).entries).toEqual(listEntries(id));
});

test("the rest of a first write that was cut off is removed, and a running one is left alone", async () => {
  await using world = await openStoreWorld();
  const upkeep = openThreadStore({ codexHome: world.codexHome, clock: { now: Date.now }, pid: process.pid }).upkeep;
  expect(await upkeep.sweep()).toBe(0);
  const { path } = await writeThread(world, listEntries);
  const before = world.files();
  const cutOff = path.replace(".jsonl", "0.jsonl");
  for (const mark of ["part", "lock", "holder"]) writeFileSync(`${cutOff}.${mark}`, "");
  expect(await upkeep.sweep()).toBe(0); // it may be being begun
  for (const mark of ["part", "lock", "holder"]) utimesSync(`${cutOff}.${mark}`, 0, 0);
  const swept: number[] = [];
  const meta = toMeta();
  const store = openSlowStore(world, async (written) => {
    if (written === 1) swept.push(await upkeep.sweep());
  });
  const journal = await store.create(meta);
  for (const entry of listEntries(meta.threadId)) journal.record(entry);
  await journal.settled();
  await journal[Symbol.asyncDispose]();
  expect([...swept, await upkeep.sweep()]).toEqual([1, 0]);
  expect((await world.store.load(meta.threadId)).entries).toEqual(listEntries(meta.threadId));
  expect(world.files().filter((file) => !before.includes(file) && !file.includes(meta.threadId))).toEqual([]);
});

test("a thread that starts with the entries of another one is kept with them, from its own first turn on", async () => {
  await using world = await openStoreWorld();
  const meta = toMeta();
  const entries = listEntries(meta.threadId);
  {
    await using silent = await world.store.create(meta, entries);
    await silent.settled();
    expect([silent.isKept, world.files()]).toEqual([false, []]);
  }
  {
    await using journal = await world.store.create(meta, entries);
    journal.record({ type: "turn.started", turnId: "own", at: 9_000 });
    expect(journal.isKept).toBe(true);
  }
  const stored = await world.store.load(meta.threadId);
  expect(stored.entries).toEqual([...entries, { type: "turn.started", turnId: "own", at: 9_000 }]);
});
