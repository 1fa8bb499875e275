import fs, { appendFileSync, readdirSync, statSync, utimesSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { openThreadStore } from "@unroll/rollout";
import { expect, test, vi } from "vitest";
import { listAll, listEntries, openStoreWorld, writeThread } from "./store-world.ts";

/** Counts calls of the file system by everything in this process. */
function countCalls(): Disposable & { listed: number; opened: number } {
  const counts = { listed: 0, opened: 0 };
  const { readdir, open } = promises;
  const { openSync } = fs;
  const spies = [
    vi.spyOn(promises, "readdir").mockImplementation(((...args: Parameters<typeof readdir>) => {
      counts.listed += 1;
      return readdir(...args);
    }) as typeof readdir),
    vi.spyOn(fs, "openSync").mockImplementation((path, ...rest) => {
      if (String(path).endsWith(".jsonl")) counts.opened += 1;
      return openSync(path, ...rest);
    }),
    vi.spyOn(promises, "open").mockImplementation((path, ...rest) => {
      if (String(path).endsWith(".jsonl")) counts.opened += 1;
      return open(path, ...rest);
    }),
  ];
  syncBuiltinESMExports();
  return Object.assign(counts, {
    [Symbol.dispose]: () => {
      for (const spy of spies) spy.mockRestore();
      syncBuiltinESMExports();
    },
  });
}

const usedAt = Date.parse("2026-08-01T00:00:00Z");

test("collecting many threads reads no file that is in the index, and deleting them lists no folder again", async () => {
  await using world = await openStoreWorld();
  const { upkeep } = openThreadStore({ codexHome: world.codexHome, clock: { now: Date.now }, pid: process.pid });
  const written = await Promise.all(Array.from({ length: 20 }, () => writeThread(world, listEntries)));
  for (const { path } of written) utimesSync(path, new Date(usedAt), new Date(usedAt));
  const { id: mended, path: mendedPath } = written[0] ?? { id: "", path: "" };
  const query = { usedBefore: usedAt + 1, archived: false };
  using counts = countCalls();
  await listAll(upkeep.collect(query));
  expect(counts.opened).toBe(20);
  counts.opened = 0;
  const found = await listAll(upkeep.collect(query));
  expect(found).toHaveLength(20);
  expect(found.every(({ summary }) => summary !== null)).toBe(true);
  expect(counts.opened).toBe(0);

  // repaired behind the collection: its old file goes with it all the same
  appendFileSync(mendedPath, "not json\n");
  utimesSync(mendedPath, new Date(usedAt), new Date(usedAt));
  expect((await upkeep.repair(mended)).aside).not.toBeNull();
  counts.listed = 0;
  for (const { threadId } of found) expect(await upkeep.removeUnused(threadId, usedAt)).toBe(true);
  expect(counts.listed).toBe(1); // for the repaired one
  expect(world.files()).toEqual([]);
});

test("archiving a thread by its whole id reads its own folder once, and no other", async () => {
  await using world = await openStoreWorld();
  const { upkeep } = openThreadStore({ codexHome: world.codexHome, clock: { now: Date.now }, pid: process.pid });
  const written = await Promise.all(Array.from({ length: 20 }, () => writeThread(world, listEntries)));
  using counts = countCalls();
  for (const { id } of written) await upkeep.archive(id);
  expect(counts.listed).toBe(20);
  const archived = readdirSync(join(world.codexHome, "archived_sessions"));
  expect(archived).toHaveLength(20);
  expect(statSync(join(world.codexHome, "archived_sessions", archived[0] ?? "")).size).toBeGreaterThan(0);
});
