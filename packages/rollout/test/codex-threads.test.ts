import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JournalEntry, ResponseItem } from "@unroll/protocol";
import { expect, test } from "vitest";
import { encode, listAll, openStoreWorld, type StoreWorld } from "./store-world.ts";

const threads = [
  { version: "0.92.0", threadId: "01a20021-fa32-7142-a8f1-816c20560b0d", tokens: [40_214, 328], items: 22 },
  { version: "0.169.0", threadId: "01a20022-2187-7ac0-b6b4-dc79acab60e7", tokens: [44_753, 327], items: 7 },
] as const;

function copyThread({ codexHome }: StoreWorld, { version, threadId }: (typeof threads)[number]): string {
  const folder = join(codexHome, "sessions/2026/11/21");
  const path = join(folder, `rollout-2026-11-21T22-02-36-${threadId}.jsonl`);
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(import.meta.dirname, `../../../conformance/threads/codex-${version}.jsonl`), path);
  return path;
}

/** What is sent last. */
function listItems(entries: readonly JournalEntry[]): readonly ResponseItem[] {
  let items: ResponseItem[] = [];
  for (const entry of entries) {
    if (entry.type === "epoch") items = entry.items.map(({ item }) => item);
    if (entry.type === "item") items.push(entry.item.item);
  }
  return items;
}

test.each(threads)("a thread of the Codex CLI $version is listed as one of ours is", async (thread) => {
  await using world = await openStoreWorld();
  copyThread(world, thread);
  const [input, output] = thread.tokens;
  expect(await listAll(world.store.list())).toEqual([
    {
      threadId: thread.threadId,
      createdAt: expect.any(Number),
      usedAt: expect.any(Number),
      cwd: "/home/someone/project",
      branch: "trunk",
      title: "Look around",
      model: "gpt-5",
      turns: 3,
      provider: "bench",
      usage: expect.objectContaining({ input_tokens: input, output_tokens: output }),
    },
  ]);
  expect(await world.store.find("last", { cwd: "/home/someone/project" })).toBe(thread.threadId);
});

test.each(threads)(
  "a thread of the Codex CLI $version goes on here, and its lines stay as they are",
  async (thread) => {
    await using world = await openStoreWorld();
    const path = copyThread(world, thread);
    const before = readFileSync(path, "utf8");
    const { journal, entries, repairs } = await world.store.resume(thread.threadId.slice(0, 18));
    expect(repairs).toEqual([]);
    const items = listItems(entries);
    expect(items).toHaveLength(thread.items);
    // what only that program sends is not sent
    expect(JSON.stringify(items)).not.toMatch(/internal_chat|"id":/);
    const opened = {
      type: "thread.opened",
      threadId: thread.threadId,
      model: "m",
      provider: "p",
      head: encode("{"),
    } as const;
    journal.record(opened);
    journal.record({ type: "turn.started", turnId: "one" });
    await journal[Symbol.asyncDispose]();
    expect(readFileSync(path, "utf8").startsWith(before)).toBe(true);
    const again = await world.store.load(thread.threadId);
    expect(again.entries[0]).toEqual(opened);
    expect(listItems(again.entries)).toEqual(items);
    expect((await listAll(world.store.list()))[0]).toMatchObject({ turns: 4 });
  },
);
