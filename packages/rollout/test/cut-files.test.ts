import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { isToolCall, type JournalEntry } from "@unroll/protocol";
import { expect, test } from "vitest";
import { listEntries, openStoreWorld, splitShown, writeThread } from "./store-world.ts";

test("a file that was cut at any byte loads up to its last whole line, and continues from there", async () => {
  await using world = await openStoreWorld();
  const { id, path } = await writeThread(world, listEntries);
  const whole = readFileSync(path);
  const ends = [...whole.entries()].flatMap(([index, byte]) => (byte === 0x0a ? [index + 1] : []));
  const cuts = ends.flatMap((end, n) => [end, end - 1, end - 40 - n]).filter((cut) => cut > (ends[0] ?? 0));
  for (const cut of cuts) {
    writeFileSync(path, whole.subarray(0, cut));
    const { journal, entries } = await world.store.resume(id);
    const note: JournalEntry = { type: "note", key: "mcpTold", value: [`${cut}`] };
    journal.record(note);
    await journal[Symbol.asyncDispose]();
    const { entries: all, ...loaded } = await world.store.load(id);
    expect(loaded).toEqual({ threadId: id, path, usedAt: expect.any(Number), facts: expect.anything(), repairs: [] });
    const { sent, shown } = splitShown(all);
    expect(sent).toEqual([...entries, note]);
    const left = whole.subarray(0, cut).toString();
    const count = left.slice(0, left.lastIndexOf("\n")).split('"type":"item.ended"').length - 1;
    const isCallAlone = count === 0 && entries.some((entry) => entry.type === "item" && isToolCall(entry.item.item));
    const made = { id: "one_item_0", tool: "run", call_id: "a", status: "unknown" };
    expect(shown).toMatchObject(isCallAlone ? [made] : splitShown(listEntries(id)).shown.slice(0, count));
  }
  truncateSync(path, (ends[0] ?? 0) - 1);
  await expect(world.store.load(id)).rejects.toMatchObject({ code: "thread_unreadable" });
});

test("an epoch that was cut off while it was written replaces nothing, also before the first answer", async () => {
  await using world = await openStoreWorld();
  const { id, path } = await writeThread(world, (threadId) =>
    listEntries(threadId).filter(({ type }) => type !== "request"),
  );
  const whole = readFileSync(path);
  const start = whole.lastIndexOf("\n", whole.indexOf('"type":"compacted"')) + 1;
  writeFileSync(path, whole.subarray(0, whole.indexOf("\n", start)));
  const { journal, entries } = await world.store.resume(id);
  await journal[Symbol.asyncDispose]();
  expect(entries.filter(({ type }) => type === "item")).toHaveLength(5);
});
