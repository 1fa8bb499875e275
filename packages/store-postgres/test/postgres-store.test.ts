import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "@unroll/flow";
import type { JournalEntry, ThreadMeta } from "@unroll/protocol";
import { threadStoreCases } from "@unroll/protocol/store-suite";
import {
  openPostgresStore,
  type PostgresStore,
  PostgresStoreError,
  type PostgresStoreOptions,
} from "@unroll/store-postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serverKinds, startPostgres, type TestServer } from "@unroll/scripted-model/fixture/servers";
import { openCuttingProxy } from "./cutting-proxy.ts";

const clock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  async sleep(ms, signal) {
    await wait(ms, null, { signal }).catch(() => {});
  },
  setTimer(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

let schemas = 0;
let processes = 0;

/** Stores on an empty schema; each one that it opens is another process. */
interface World extends AsyncDisposable {
  open(options?: Partial<PostgresStoreOptions>): Promise<PostgresStore>;
}

function openWorld(url: string): World {
  const schema = `suite_${(schemas += 1)}`;
  const stack = new AsyncDisposableStack();
  return {
    async open(options = {}) {
      const holder = `process ${(processes += 1)}`;
      return stack.use(await openPostgresStore({ url, clock, holder, schema, ...options }));
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function toMeta(threadId: string): ThreadMeta {
  return { threadId, cwd: "/work", userAgent: "test/1.0.0", modelProvider: "p", forkedFrom: null };
}

const opening = (threadId: string): JournalEntry => ({
  type: "thread.opened",
  threadId,
  model: "m",
  provider: "p",
  head: null,
});
const turn: JournalEntry = { type: "turn.started", turnId: "one" };

async function readAll(store: PostgresStore, id: string): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of store.exportThread(id)) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe.skipIf(serverKinds.postgres !== null)("threads in PostgreSQL", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test.each(threadStoreCases)("$name", async ({ run }) => {
    await using world = openWorld(server.url);
    await expect(run(() => world.open())).resolves.toBeUndefined();
  });

  test("a thread stays whole wherever the connection breaks, and nothing is written twice", async () => {
    await using proxy = await openCuttingProxy(server.url);
    await using world = openWorld(proxy.url);
    const retry = (ms: number, signal: AbortSignal): Promise<void> => clock.sleep(ms > 9_000 ? ms : 1, signal);
    const patient = { ...clock, now: () => 0, sleep: retry }; // leases are renewed as usual
    const store = await world.open({ clock: patient });
    const scenario = async (): Promise<string> => {
      const journal = await store.create(toMeta("one"));
      for (const entry of [opening("one"), turn]) journal.record(entry);
      await journal.settled();
      journal.record({ type: "note", key: "name", value: "Tea" });
      await journal[Symbol.asyncDispose]();
      const resumed = await store.resume("one");
      resumed.journal.record({ ...turn, turnId: "two" });
      await resumed.journal[Symbol.asyncDispose]();
      await store.upkeep.archive("one");
      await store.upkeep.unarchive("one");
      const text = await readAll(store, "one");
      const titles: unknown[] = [];
      for await (const { name, turns } of store.list()) titles.push([name, turns]);
      expect(titles).toEqual([["Tea", 2]]);
      await store.upkeep.remove("one");
      return text;
    };
    const before = proxy.count;
    const whole = await scenario();
    const messages = proxy.count - before;
    expect(messages).toBeGreaterThan(20);
    for (let nth = 1; nth <= messages; nth += 1)
      for (const when of ["before", "behind"] as const) {
        proxy.cutAt(nth, when);
        expect(await scenario()).toBe(whole);
      }
  });

  test("a thread goes in and out byte for byte, also one that ends within a line", async () => {
    await using world = openWorld(server.url);
    const store = await world.open();
    await using journal = await store.create(toMeta("one"));
    for (const entry of [opening("one"), turn]) journal.record(entry);
    await journal.settled();
    const file = `${await readAll(store, "one")}{"timestamp":"2026-01-01T00:00:00.000Z","type":"unr`;
    const other = await (await world.open()).importThread("two", cut(Buffer.from(file.replaceAll("one", "two"))));
    expect(other).toBeUndefined();
    expect(await readAll(store, "two")).toBe(file.replaceAll("one", "two"));
    const resumed = await store.resume("two");
    resumed.journal.record({ ...turn, turnId: "next" });
    await resumed.journal[Symbol.asyncDispose]();
    const lines = (await readAll(store, "two")).trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { readonly type: string }).type)).not.toContain("unr");
    await expect(store.importThread("one", cut(Buffer.from(file)))).rejects.toMatchObject({ code: "thread_locked" });
  });

  test("a process that loses its thread stops, and writes nothing behind the one that took it over", async () => {
    await using world = openWorld(server.url);
    const [first, second] = [await world.open({ holder: "worker" }), await world.open({ holder: "worker" })];
    const journal = await first.create(toMeta("one"));
    for (const entry of [opening("one"), turn]) journal.record(entry);
    await journal.settled();
    expect(journal.lost?.aborted).toBe(false);
    const resumed = await second.resume("one"); // the same name: at once
    resumed.journal.record({ ...turn, turnId: "second" });
    await resumed.journal.settled();
    const text = await readAll(second, "one");
    journal.record({ ...turn, turnId: "first" });
    await expect(journal.settled()).rejects.toMatchObject({ code: "thread_lost" });
    expect(journal.lost?.aborted).toBe(true);
    await expect(journal[Symbol.asyncDispose]()).rejects.toMatchObject({ code: "thread_lost" });
    expect(await readAll(second, "one")).toBe(text);
    await resumed.journal[Symbol.asyncDispose]();
  });

  test("a lease that is not renewed ends by the server's clock, and the holder has stopped before", async () => {
    await using world = openWorld(server.url);
    const silent = { ...clock, sleep: (_ms: number, signal: AbortSignal) => clock.sleep(2 ** 30, signal) };
    const first = await world.open({ leaseMs: 300, clock: silent });
    const journal = await first.create(toMeta("one"));
    for (const entry of [opening("one"), turn]) journal.record(entry);
    await journal.settled();
    const second = await world.open();
    await expect(second.resume("one")).rejects.toMatchObject({ code: "thread_locked" });
    const { lost } = journal;
    const resumed = await expect
      .poll(() => second.resume("one").catch(() => null))
      .not.toBeNull()
      .then(() => second.upkeep.listOpen());
    expect({ isLost: lost?.aborted, resumed }).toEqual({ isLost: true, resumed: [{ threadId: "one", pid: null }] });
    await journal[Symbol.asyncDispose]();
  });

  test("a renewed lease outlives its length", async () => {
    await using world = openWorld(server.url);
    let renewals = 0;
    const counting = async (ms: number, signal: AbortSignal): Promise<void> => {
      await clock.sleep(ms, signal);
      renewals += 1;
    };
    const first = await world.open({ leaseMs: 600, clock: { ...clock, sleep: counting } });
    const journal = await first.create(toMeta("one"));
    for (const entry of [opening("one"), turn]) journal.record(entry);
    await journal.settled();
    await expect.poll(() => renewals).toBeGreaterThan(4); // three make one length
    await expect((await world.open()).resume("one")).rejects.toMatchObject({ code: "thread_locked" });
    await journal[Symbol.asyncDispose]();
  });

  test("a long thread is written in rows of at most a megabyte, and read back", async () => {
    await using world = openWorld(server.url);
    const store = await world.open();
    await using journal = await store.create(toMeta("one"));
    const text = "é".repeat(3_000_000);
    for (const entry of [opening("one"), turn]) journal.record(entry);
    journal.record({ type: "note", key: "name", value: text });
    await journal.settled();
    const { entries } = await store.load("one");
    expect(entries.at(-1)).toEqual({ type: "note", key: "name", value: text });
  });

  test("an older version refuses tables that a newer one has changed", async () => {
    await using world = openWorld(server.url);
    await world.open();
    await setMinClient(server.url, `suite_${schemas}`);
    await expect(world.open()).rejects.toMatchObject({ code: "store_newer" });
  });
});

test("a server that is not there is an error without the password", async () => {
  const url = "postgres://me:secret-word@127.0.0.1:1/threads?sslmode=disable";
  const error: unknown = await openPostgresStore({ url, clock, holder: "test" }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(PostgresStoreError);
  expect(String(error)).toContain("postgres://127.0.0.1:1/threads");
  expect(String(error)).not.toContain("secret-word");
});

async function setMinClient(url: string, schema: string): Promise<void> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`update ${schema}.meta set min_client = 99`);
  await client.end();
}

async function* cut(bytes: Buffer): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100);
}
