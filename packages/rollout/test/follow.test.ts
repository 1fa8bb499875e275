import { openSync, readSync, closeSync, statSync } from "node:fs";
import type { JournalEntry } from "@unroll/protocol";
import { openThreadStoreOn, type ThreadFiles } from "@unroll/rollout";
import { expect, test } from "vitest";
import { openStoreWorld, toMeta, toSent } from "./store-world.ts";

test("a running call is followed without an end that nobody wrote, and each byte is read once", async () => {
  await using world = await openStoreWorld();
  const meta = toMeta();
  await using journal = await world.store.create(meta);
  const call = toSent('{"type":"function_call","call_id":"a","name":"run","arguments":"{}"}');
  const output = toSent('{"type":"function_call_output","call_id":"a","output":"1"}');
  const shown = { id: "i", type: "tool_call", call_id: "a", tool: "run", arguments: {} } as const;
  const parts: readonly (readonly JournalEntry[])[] = [
    [
      { type: "thread.opened", threadId: meta.threadId, model: "m", provider: "p", head: null },
      { type: "turn.started", turnId: "t" },
      { type: "item", item: call },
    ],
    [{ type: "item", item: output }],
    [
      {
        type: "item.ended",
        item: { ...shown, output: "1", status: "completed", started_at: 1, duration_ms: 2 },
      },
    ],
  ];
  const write = async (part: readonly JournalEntry[] = []): Promise<void> => {
    for (const entry of part) journal.record(entry);
    await journal.settled();
  };
  await write(parts[0]);
  const [path = ""] = world.files().filter((file) => file.endsWith(".jsonl"));
  let read = 0;
  const files = {
    find: async (threadId: string) => ({ ...toFound(threadId), size: statSync(path).size }),
    read: async () => ({
      async read(buffer: Uint8Array, ...place: [offset: number, length: number, position: number]) {
        const file = openSync(path, "r");
        const bytesRead = readSync(file, buffer, ...place);
        closeSync(file);
        read += bytesRead;
        return { bytesRead };
      },
    }),
  } as unknown as ThreadFiles; // nothing else is called
  const done = new AbortController();
  const seen: string[][] = [];
  for await (const some of openThreadStoreOn(files, { now: Date.now }).watch(meta.threadId, { signal: done.signal })) {
    seen.push(some.map(({ type }) => type));
    if (seen.length === parts.length) done.abort();
    else await write(parts[seen.length]);
  }
  expect(seen).toEqual([["thread.opened", "turn.started", "item"], ["item"], ["item.ended"]]);
  expect(read).toBe(statSync(path).size);
});

function toFound(threadId: string): Omit<Awaited<ReturnType<ThreadFiles["find"]>>, "size"> {
  return { threadId, place: "", isArchived: false, usedAt: null };
}
