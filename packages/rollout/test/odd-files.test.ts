import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listAll, listEntries, openStoreWorld, writeThread } from "./store-world.ts";

test("a file of 8 GB without a line, one of 3 MB of brackets and a FIFO are not threads: lists skip them, loading gives the reason", async () => {
  await using world = await openStoreWorld();
  const folder = join(world.codexHome, "sessions/2026/11/20");
  mkdirSync(folder, { recursive: true });
  const [hole, brackets, fifo] = ["1", "2", "3"].map((last) => {
    const id = `019a0000-0000-7000-8000-00000000000${last}`;
    return { id, path: join(folder, `rollout-2026-11-20T10-00-00-${id}.jsonl`) };
  });
  writeFileSync(hole?.path ?? "", "");
  truncateSync(hole?.path ?? "", 8 * 1024 ** 3);
  writeFileSync(brackets?.path ?? "", "[".repeat(3_000_000));
  execFileSync("mkfifo", [fifo?.path ?? ""]);
  expect(await listAll(world.store.list())).toEqual([]);
  await expect(world.store.load(hole?.id ?? "")).rejects.toMatchObject({
    code: "thread_unreadable",
    message: `${hole?.path}, line 1 is longer than 256 MiB: no thread has such a line.`,
  });
  await expect(world.store.load(brackets?.id ?? "")).rejects.toMatchObject({ code: "thread_unreadable" });
  await expect(world.store.load(fifo?.id ?? "")).rejects.toMatchObject({ code: "thread_missing" });
});

test("pipes in the places of the index, the list of uses and the lock's holder hold up nothing: threads are found without them", async () => {
  await using world = await openStoreWorld();
  const { id, path } = await writeThread(world, listEntries, { cwd: "/a" });
  for (const name of [".unroll-index", ".unroll-used"]) {
    rmSync(join(world.codexHome, "sessions", name), { force: true });
    execFileSync("mkfifo", [join(world.codexHome, "sessions", name)]);
  }
  execFileSync("mkfifo", [`${path}.lock.holder`, `${path}.holder`]);
  expect((await listAll(world.store.list())).map(({ threadId }) => threadId)).toEqual([id]);
  expect(await world.store.find("last")).toBe(id);
  expect(await world.store.find("last", { cwd: "/a" })).toBe(id);
  const { journal } = await world.store.resume(id);
  journal.record({ type: "turn.started", turnId: "three" });
  await journal[Symbol.asyncDispose]();
  expect((await world.store.load(id)).entries.at(-1)).toMatchObject({ type: "turn.started" });
});

test("a thread with an entry of a newer version is read, and not resumed if older versions must not skip it", async () => {
  await using world = await openStoreWorld();
  const { id, path } = await writeThread(world, listEntries);
  const append = (payload: object): void =>
    appendFileSync(path, `${JSON.stringify({ timestamp: "2030-01-01T00:00:00.000Z", type: "unroll", payload })}\n`);
  const { entries } = await world.store.load(id);
  append({ type: "call.seen" });
  await (await world.store.resume(id)).journal[Symbol.asyncDispose]();
  append({ type: "needs", names: ["call.leased"] });
  const bytes = readFileSync(path);
  await expect(world.store.resume(id)).rejects.toMatchObject({
    code: "thread_newer",
    message: expect.stringContaining("(call.leased, line ") as string,
  });
  const loaded = await world.store.load(id);
  expect(loaded.entries).toEqual(entries);
  expect(loaded.repairs).toEqual([
    expect.stringMatching(/^A newer version of unroll wrote something .* \(call\.leased, line \d+\)\.$/),
  ]);
  expect((await world.store.upkeep.repair(id)).repairs).toEqual([]);
  expect(readFileSync(path)).toEqual(bytes);
});
