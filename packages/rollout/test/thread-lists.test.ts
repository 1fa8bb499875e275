import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { noTokenUsage } from "@unroll/protocol";
import { expect, test } from "vitest";
import { listAll, listEntries, openStoreWorld, toMeta, toSent, writeThread } from "./store-world.ts";

test("threads are listed with their facts, the latest used first; the latest one is found by folder", async () => {
  const begun = Date.parse("2026-05-06T12:00:00Z");
  let now = begun;
  await using world = await openStoreWorld({ clock: { now: () => now } });
  const ids: string[] = [];
  for (const [n, cwd] of ["/a", "/b", "/a", "/c"].entries()) {
    const { id, path } = await writeThread(world, listEntries, { cwd });
    // the first one started is the latest used
    utimesSync(path, new Date(begun), new Date(begun - n * 1000));
    ids.push(id);
    now += 40 * 60 * 60 * 1000;
  }
  const expected = [0, 2].map((n) => ({
    threadId: ids[n],
    createdAt: begun + n * 40 * 60 * 60 * 1000,
    usedAt: begun - n * 1000,
    cwd: "/a",
    branch: null,
    name: null,
    title: "Café / tea",
    model: "gpt-5",
    turns: 2,
    provider: "test",
    usage: { ...noTokenUsage, input_tokens: 14, cached_input_tokens: 4, output_tokens: 6, reasoning_output_tokens: 2 },
    longestInput: 7,
    forkedFrom: null,
    parent: null,
    source: "cli",
    path: expect.stringContaining(ids[n] ?? "none") as string,
    size: expect.any(Number) as number,
  }));
  for (const _ of ["read", "known"]) expect(await listAll(world.store.list({ cwd: "/a" }))).toEqual(expected);
  expect(await world.store.find("last")).toBe(ids[0]);
  expect(await world.store.find("last", { cwd: "/b" })).toBe(ids[1]);
  expect(await world.store.find("last", { cwd: "/none" })).toBeNull();
  const { journal } = await world.store.resume(ids[2] ?? "");
  journal.record({ type: "turn.started", turnId: "three" });
  for (const value of ["First", "Tea in Paris"]) journal.record({ type: "note", key: "name", value });
  await journal[Symbol.asyncDispose]();
  expect(await world.store.find("last")).toBe(ids[2]);
  expect((await listAll(world.store.list()))[0]).toMatchObject({ threadId: ids[2], turns: 3, name: "Tea in Paris" });
});

test("the last thread of a folder is found behind more than a thousand later ones of another folder", async () => {
  const begun = Date.parse("2026-05-06T12:00:00Z");
  await using world = await openStoreWorld({ clock: { now: () => begun } });
  const { id, path } = await writeThread(world, listEntries, { cwd: "/a" });
  utimesSync(path, new Date(begun), new Date(begun));
  const folder = join(world.codexHome, "sessions/2026/06/01");
  mkdirSync(folder, { recursive: true });
  const other = join(world.codexHome, "other");
  writeFileSync(other, '{"timestamp":"2026-06-01T00:00:00Z","type":"session_meta","payload":{"id":"x","cwd":"/b"}}\n');
  for (let n = 0; n < 1_100; n++)
    linkSync(other, join(folder, `rollout-2026-06-01T00-00-00-${String(n).padStart(8, "0")}.jsonl`));
  const find = (): Promise<readonly (string | null)[]> =>
    Promise.all(["/a", "/none"].map((cwd) => world.store.find("last", { cwd })));
  expect(await find()).toEqual([id, null]);
  rmSync(join(world.codexHome, "sessions/.unroll-used")); // then all are looked at
  expect(await find()).toEqual([id, null]);
});

test("a thread that could not be read once is listed in its folder as soon as it can be", async () => {
  await using world = await openStoreWorld();
  const { id, path } = await writeThread(world, listEntries, { cwd: "/a" });
  const whole = readFileSync(path);
  const list = async (): Promise<readonly string[]> =>
    (await listAll(world.store.list({ cwd: "/a" }))).map(({ threadId }) => threadId);
  for (const [bytes, listed] of [
    [Buffer.from(""), []],
    [whole.subarray(0, 20), []],
    [whole, [id]],
  ] as const) {
    writeFileSync(path, bytes);
    expect(await list()).toEqual(listed);
    await listAll(world.store.list()); // what it saw is noted
  }
});

test("a thread is found by the beginning of its id; an ambiguous beginning is refused with all matching ids", async () => {
  await using world = await openStoreWorld();
  for (const threadId of ["ab-1", "ab-2", "b"]) await writeThread(world, listEntries, { threadId });
  expect((await world.store.load("ab-1")).threadId).toBe("ab-1");
  const { threadId, journal } = await world.store.resume("ab-2");
  await journal[Symbol.asyncDispose]();
  expect(threadId).toBe("ab-2");
  await expect(world.store.load("ab")).rejects.toMatchObject({
    code: "thread_ambiguous",
    message: "2 threads begin with ab: write more of the id.\n  ab-2\n  ab-1",
  });
  for (const id of ["none", ""]) await expect(world.store.load(id)).rejects.toMatchObject({ code: "thread_missing" });
});

test("a copy is listed with its origin, the number of turns it starts with and its own first message", async () => {
  await using world = await openStoreWorld();
  const { id, path } = await writeThread(world, listEntries, { cwd: "/a" });
  const meta = toMeta({ cwd: "/a", forkedFrom: id });
  const journal = await world.store.create(meta, listEntries(meta.threadId));
  const say = (turnId: string, text: string): void => {
    journal.record({ type: "turn.started", turnId });
    const item = { type: "message", role: "user", content: [{ type: "input_text", text }] };
    journal.record({ type: "item", item: toSent(JSON.stringify(item)) });
  };
  say("three", "Another way");
  say("four", "And on");
  await journal[Symbol.asyncDispose]();
  const listed = await listAll(world.store.list());
  const find = (threadId: string): unknown => listed.find((each) => each.threadId === threadId);
  expect(find(meta.threadId)).toMatchObject({
    title: "Café / tea",
    turns: 4,
    forkedFrom: { threadId: id, turns: 2, title: "Another way" },
  });
  expect(find(id)).toMatchObject({ forkedFrom: null, size: statSync(path).size });
});

test("a renamed thread keeps the time of its last use, and a last line that was cut off is dropped", async () => {
  await using world = await openStoreWorld();
  const { id, path } = await writeThread(world, listEntries);
  const { size } = statSync(path);
  appendFileSync(path, `{"torn${"x".repeat(100_000)}`);
  const usedAt = new Date("2026-05-06T12:00:00.123Z");
  utimesSync(path, usedAt, usedAt);
  const before = (await world.store.load(id)).entries;
  await world.store.upkeep.rename(id, "Tea");
  expect((await listAll(world.store.list()))[0]).toMatchObject({ name: "Tea", usedAt: usedAt.getTime() });
  expect(readFileSync(path).subarray(size).toString()).toMatch(
    /^\{"timestamp":"[^"]*","type":"unroll","payload":\{"type":"note",.*\}\n$/,
  );
  const note = { type: "note", key: "name", value: "Tea" };
  expect((await world.store.load(id)).entries).toEqual([...before, note]);
});
