import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, closeSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { extname, join } from "node:path";
import { type AppendFile, openThreadStore } from "@unroll/rollout";
import { expect, test } from "vitest";
import { listEntries, openStoreWorld, toMeta, toSent } from "./store-world.ts";

const recorder = ["--conditions=@unroll/source", join(import.meta.dirname, "fixture/record.ts")];

/** conformance/threads/kill-writer.mjs kills whole programs, 500 of them. */
const kills = Number(process.env["UNROLL_KILLS"] ?? 4);

test("a second writer gets the id of the holder's process, and reading still works", async () => {
  await using world = await openStoreWorld();
  const meta = toMeta();
  const journal = await world.store.create(meta);
  for (const entry of listEntries(meta.threadId)) journal.record(entry);
  await journal.settled();
  await expect(world.store.resume(meta.threadId)).rejects.toMatchObject({
    code: "thread_locked",
    message: expect.stringContaining(`another process (${process.pid})`),
  });
  expect((await world.store.load(meta.threadId)).entries).toHaveLength(listEntries("").length);
  await journal[Symbol.asyncDispose]();
  const held = await world.store.resume(meta.threadId);
  await held.journal[Symbol.asyncDispose]();
  expect(world.files()).toHaveLength(1);
});

test("the lock of a process that was killed is taken over by one of many, and nothing is left of it", async () => {
  await using world = await openStoreWorld();
  const meta = toMeta();
  const child = spawn(process.execPath, [...recorder, world.codexHome, meta.threadId], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  await once(child.stdout, "data");
  await expect(world.store.resume(meta.threadId)).rejects.toMatchObject({
    code: "thread_locked",
    message: expect.stringContaining(`another process (${child.pid})`),
  });
  child.kill("SIGKILL");
  await closed;
  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => world.store.resume(meta.threadId)));
  const won = tries.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  expect(won).toHaveLength(1);
  await won[0]?.journal[Symbol.asyncDispose]();
  expect(world.files().map((file) => extname(file))).toEqual([".jsonl"]);
});

test("the lock holds between containers that have processes of their own", async (context) => {
  const unshare = ["--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc"];
  if (spawnSync("unshare", [...unshare, "true"]).status !== 0) context.skip();
  await using world = await openStoreWorld();
  const meta = toMeta();
  const args = [...unshare, process.execPath, ...recorder, world.codexHome, meta.threadId];
  const child = spawn("unshare", args, { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  await once(child.stdout, "data");
  await expect(world.store.resume(meta.threadId)).rejects.toMatchObject({ code: "thread_locked" });
  child.kill("SIGKILL");
  await closed;
  const { journal } = await world.store.resume(meta.threadId);
  await journal[Symbol.asyncDispose]();
});

test("what was settled outlasts a process that is killed at any moment", async () => {
  await using world = await openStoreWorld();
  for (let n = 0; n < kills; n++) {
    const meta = toMeta();
    const child = spawn(process.execPath, [...recorder, world.codexHome, meta.threadId], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let settled = 0;
    const closed = once(child, "close");
    const killAt = 1 + n * 17;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      settled += text.split("\n").length - 1;
      if (settled >= killAt) child.kill("SIGKILL");
    });
    await closed;
    const { journal, entries } = await world.store.resume(meta.threadId);
    await journal[Symbol.asyncDispose]();
    const calls = entries.flatMap((entry) =>
      entry.type === "item" && entry.item.item.type === "function_call" ? [entry.item.item.call_id] : [],
    );
    expect(calls.length).toBeGreaterThanOrEqual(settled);
    expect(calls).toEqual(calls.map((_, index) => `call_${index}`));
    expect((await world.store.load(meta.threadId)).repairs).toEqual([]);
  }
});

test("a full disk fails what waits, keeps the file whole, and is over when there is room again", async () => {
  const room = { bytes: 3000 };
  await using world = await openStoreWorld();
  const store = openThreadStore({
    codexHome: world.codexHome,
    clock: { now: Date.now },
    pid: process.pid,
    openFile: async (path): Promise<AppendFile> => {
      const file = openSync(path, "w+");
      return {
        async write(bytes, position) {
          const taken = bytes.subarray(0, Math.max(0, room.bytes - position));
          writeSync(file, taken, 0, taken.length, position);
          if (taken.length < bytes.length) throw Object.assign(new Error("full"), { code: "ENOSPC", errno: -28 });
        },
        // not even this can be done: a reader drops the half line
        truncate: () => Promise.reject(new Error("full")),
        sync: async () => {},
        close: async () => closeSync(file),
      };
    },
  });
  const meta = toMeta();
  const journal = await store.create(meta);
  for (const entry of listEntries(meta.threadId).slice(0, 4)) journal.record(entry);
  await journal.settled();
  const item = toSent(
    JSON.stringify({ type: "message", role: "developer", content: [{ type: "input_text", text: "x".repeat(4000) }] }),
  );
  journal.record({ type: "item", item });
  await expect(journal.settled()).rejects.toThrow(/rollout-.*\.jsonl cannot be written: .*space/);
  const [path = ""] = world.files();
  expect(readFileSync(path).length).toBe(3000);
  expect((await world.store.load(meta.threadId)).repairs).toEqual([expect.stringContaining("cut off")]);
  room.bytes = 100_000;
  await journal.settled();
  await journal[Symbol.asyncDispose]();
  expect((await world.store.load(meta.threadId)).entries.slice(0, 5)).toEqual([
    ...listEntries(meta.threadId).slice(0, 4),
    { type: "item", item },
  ]);
});

test("a file whose half last line cannot be dropped yet is opened once, and closed with its journal", async () => {
  await using world = await openStoreWorld();
  const meta = toMeta();
  const journal = await world.store.create(meta);
  for (const entry of listEntries(meta.threadId)) journal.record(entry);
  await journal[Symbol.asyncDispose]();
  const [path = ""] = world.files();
  appendFileSync(path, '{"half');
  const seen: string[] = [];
  const store = openThreadStore({
    codexHome: world.codexHome,
    clock: { now: Date.now },
    pid: process.pid,
    async openFile(file) {
      seen.push("open");
      const fd = openSync(file, "r+");
      return {
        write: async (bytes, position) => void writeSync(fd, bytes, 0, bytes.length, position),
        async truncate(length) {
          seen.push("truncate");
          if (seen.length < 4) throw Object.assign(new Error("full"), { code: "ENOSPC", errno: -28 });
          ftruncateSync(fd, length);
        },
        sync: async () => {},
        async close() {
          seen.push("close");
          closeSync(fd);
        },
      };
    },
  });
  const resumed = await store.resume(meta.threadId);
  resumed.journal.record({ type: "note", key: "name", value: "one" });
  await expect(resumed.journal.settled()).rejects.toThrow("cannot be written");
  await resumed.journal[Symbol.asyncDispose]();
  expect(seen).toEqual(["open", "truncate", "truncate", "truncate", "close"]);
  const { entries, repairs } = await world.store.load(meta.threadId);
  expect([entries.at(-1), repairs]).toEqual([{ type: "note", key: "name", value: "one" }, []]);
});
