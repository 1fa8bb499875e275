import { text } from "node:stream/consumers";
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
import { cutFrom, openCuttingProxy } from "./cutting-proxy.ts";

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

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Archived or not: a repair may be killed before it has archived the old thread. */
async function listIds(store: PostgresStore): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const archived of [true, false]) for await (const { threadId } of store.list({ archived })) ids.push(threadId);
  return ids;
}

const readAll = (store: PostgresStore, id: string): Promise<string> => text(store.upkeep.export(id));

/** CI kills at each statement. */
const stride = process.env["CI"] === "true" ? 1 : 3;

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

  test("its promises hold wherever the connection breaks: at each statement, before the server has it and behind", async () => {
    const soon = (ms: number, signal: AbortSignal): Promise<void> => clock.sleep(ms > 9_000 ? ms : 1, signal); // leases are renewed as usual
    for (const { name, run } of threadStoreCases) {
      await using proxy = await openCuttingProxy(server.url);
      await using world = openWorld(proxy.url);
      await run(() => world.open({ clock: { ...clock, sleep: soon } })).catch((error: unknown) => {
        throw new Error(name, { cause: error });
      });
      expect([name, proxy.cuts > 5]).toEqual([name, true]);
    }
  });

  test("an import or a repair that is killed at any statement leaves the old thread or the new one, and nothing of it is lost", async () => {
    await using world = openWorld(server.url);
    const store = await world.open({ holder: "worker" });
    const journal = await store.create(toMeta("one"));
    for (const entry of [opening("one"), turn]) journal.record(entry);
    await journal[Symbol.asyncDispose]();
    const whole = await readAll(store, "one");
    const lines = whole.split("\n");
    const broken = [...lines.slice(0, -2), "{}}", ...lines.slice(-2)].join("\n");
    await store.upkeep.remove("one");
    const schema = `suite_${schemas}`;

    /** Runs work of a process that is killed at the statement `first`; true: it was over before. */
    async function runKilled(
      first: number,
      when: "before" | "behind",
      work: (store: PostgresStore) => Promise<unknown>,
    ) {
      await using proxy = await openCuttingProxy(server.url, cutFrom(first, when));
      const sleep = (ms: number, signal: AbortSignal): Promise<void> => clock.sleep(ms > 9_000 ? ms : 1, signal);
      const options = { url: proxy.url, clock: { ...clock, sleep }, holder: "worker", schema };
      try {
        await using killed = await openPostgresStore(options);
        await work(killed);
      } catch {} // its client tells nobody
      return proxy.cuts === 0;
    }

    for (const when of ["before", "behind"] as const) {
      let isOver = false;
      for (let first = 1; !isOver; first += stride) {
        isOver = await runKilled(first, when, ({ upkeep }) => upkeep.import(pieces(broken)));
        const added = await store.upkeep.import(pieces(broken)).catch((error: unknown) => error);
        expect(added).toMatchObject(added instanceof Error ? { code: "thread_exists" } : { threadId: "one" });
        expect(await readAll(store, "one")).toBe(broken);
        await store.upkeep.remove("one");
      }
      isOver = false;
      for (let first = 1; !isOver; first += stride) {
        await store.upkeep.import(pieces(broken));
        isOver = await runKilled(first, when, ({ upkeep }) => upkeep.repair("one"));
        const left = await readAll(store, "one");
        expect([broken, whole]).toContain(left);
        const { aside } = await store.upkeep.repair("one");
        expect(aside === null).toBe(left === whole);
        expect(await readAll(store, "one")).toBe(whole);
        const asides = (await listIds(store)).filter((id) => id !== "one");
        const kept = await Promise.all(asides.map((id) => readAll(store, id)));
        expect(new Set(kept)).toEqual(new Set([broken]));
        for (const id of [...asides, "one"]) await store.upkeep.remove(id);
      }
    }
    await ask(server.url, `update ${schema}.head set held_until = clock_timestamp()`); // as after half a minute
    await store.upkeep.sweep();
    expect(await ask(server.url, `select count(*)::int as lines from ${schema}.line`)).toEqual([{ lines: 0 }]);
  });

  test("a thread that is there is never created again", async () => {
    await using world = openWorld(server.url);
    const store = await world.open();
    const write = async (): Promise<void> => {
      await using journal = await store.create(toMeta("one"));
      for (const entry of [opening("one"), turn]) journal.record(entry);
      await journal.settled();
    };
    await write();
    const before = await readAll(store, "one");
    await expect(write()).rejects.toMatchObject({ error: { code: "thread_exists" } });
    expect(await readAll(store, "one")).toBe(before);
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
    const before = await readAll(second, "one");
    journal.record({ ...turn, turnId: "first" });
    await expect(journal.settled()).rejects.toMatchObject({ code: "thread_lost" });
    expect(journal.lost?.aborted).toBe(true);
    await expect(journal[Symbol.asyncDispose]()).rejects.toMatchObject({ code: "thread_lost" });
    expect(await readAll(second, "one")).toBe(before);
    await resumed.journal[Symbol.asyncDispose]();
  });

  test("a lease that is not renewed ends by the server's clock, and the holder has stopped before", async () => {
    await using world = openWorld(server.url);
    const silent = { ...clock, sleep: (_ms: number, signal: AbortSignal) => clock.sleep(2 ** 30, signal) };
    const [first, second] = [await world.open({ leaseMs: 1500, clock: silent }), await world.open()];
    const journal = await first.create(toMeta("one"));
    for (const entry of [opening("one"), turn]) journal.record(entry);
    await journal.settled();
    await expect(second.resume("one")).rejects.toMatchObject({ code: "thread_locked" });
    const { lost } = journal;
    const resumed = await expect
      .poll(() => second.resume("one").catch(() => null), { timeout: 10_000 })
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
    const first = await world.open({ leaseMs: 2_400, clock: { ...clock, sleep: counting } });
    const journal = await first.create(toMeta("one"));
    for (const entry of [opening("one"), turn]) journal.record(entry);
    await journal.settled();
    await expect.poll(() => renewals, { timeout: 60_000 }).toBeGreaterThan(3); // three make one length
    await expect((await world.open()).resume("one")).rejects.toMatchObject({ code: "thread_locked" });
    await journal[Symbol.asyncDispose]();
  });

  test("a long thread is written in rows of at most a megabyte, and read back", async () => {
    await using world = openWorld(server.url);
    const store = await world.open();
    await using journal = await store.create(toMeta("one"));
    const long = "é".repeat(3_000_000);
    for (const entry of [opening("one"), turn]) journal.record(entry);
    journal.record({ type: "note", key: "name", value: long });
    await journal.settled();
    const { entries } = await store.load("one");
    expect(entries.at(-1)).toEqual({ type: "note", key: "name", value: long });
  });

  test("an older version refuses tables that a newer one has changed", async () => {
    await using world = openWorld(server.url);
    await world.open();
    await ask(server.url, `update suite_${schemas}.meta set min_client = 99`);
    await expect(world.open()).rejects.toMatchObject({ code: "store_newer" });
  });

  test("tables of an older version get what they lack, and their threads stay", async () => {
    await using world = openWorld(server.url);
    const older = await world.open();
    await using journal = await older.create(toMeta("one"));
    for (const entry of [opening("one"), turn]) journal.record(entry);
    await journal.settled();
    const schema = `suite_${schemas}`;
    await ask(server.url, `drop index ${schema}.thread_parent`);
    await ask(server.url, `update ${schema}.meta set version = 1`);
    const store = await world.open();
    expect(await ask(server.url, `select version, min_client from ${schema}.meta`)).toEqual([
      { version: 2, min_client: 1 },
    ]);
    const [index] = await ask(server.url, `select to_regclass('${schema}.thread_parent') is not null as found`);
    expect(index).toEqual({ found: true });
    expect((await store.load("one")).entries).toHaveLength(2);
    journal.record({ ...turn, turnId: "second" });
    await journal.settled();
  });

  test("a user who may not change the tables uses those of an older version as they are", async () => {
    await using world = openWorld(server.url);
    await world.open();
    const schema = `suite_${schemas}`;
    for (const statement of [
      `drop index ${schema}.thread_parent`,
      `update ${schema}.meta set version = 1`,
      "create role guest login",
      `grant usage on schema ${schema} to guest`,
      `grant select, insert, update, delete on all tables in schema ${schema} to guest`,
      `grant usage on all sequences in schema ${schema} to guest`,
    ])
      await ask(server.url, statement);
    const guest = await world.open({ url: server.url.replace("unroll@", "guest@") });
    await using journal = await guest.create(toMeta("one"));
    for (const entry of [opening("one"), turn]) journal.record(entry);
    await journal.settled();
    expect((await guest.load("one")).entries).toHaveLength(2);
    expect(await ask(server.url, `select version from ${schema}.meta`)).toEqual([{ version: 1 }]);
  });
});

test("a server that is not there is an error without the password", async () => {
  const url = "postgres://me:secret-word@127.0.0.1:1/threads?sslmode=disable";
  const error: unknown = await openPostgresStore({ url, clock, holder: "test" }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(PostgresStoreError);
  expect(String(error)).toContain("postgres://127.0.0.1:1/threads");
  expect(String(error)).not.toContain("secret-word");
});

async function ask(url: string, statement: string): Promise<readonly object[]> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<object>(statement);
  await client.end();
  return rows;
}
