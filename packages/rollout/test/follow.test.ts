import { appendFileSync, closeSync, openSync, readSync, statSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  const { files, count } = openFiles(path);
  const done = new AbortController();
  const seen: string[][] = [];
  for await (const some of openThreadStoreOn(files, { now: Date.now }).watch(meta.threadId, { signal: done.signal })) {
    seen.push(some.map(({ type }) => type));
    if (seen.length === parts.length) done.abort();
    else await write(parts[seen.length]);
  }
  expect(seen).toEqual([["thread.opened", "turn.started", "item"], ["item"], ["item.ended"]]);
  expect(count()).toBe(statSync(path).size);
});

test("the openings that a fork of another program copies behind its own are not followed", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-follow-"));
  const path = join(folder.path, "fork.jsonl");
  const append = (type: string, payload: object): void =>
    appendFileSync(path, `${JSON.stringify({ timestamp, type, payload })}\n`);
  append("session_meta", { id: "fork", timestamp });
  const done = new AbortController();
  const seen: string[][] = [];
  for await (const some of openThreadStoreOn(openFiles(path).files, { now: Date.now }).watch("fork", done)) {
    seen.push(some.map(({ type }) => type));
    if (seen.length === 2) break;
    append("session_meta", { id: "other", timestamp });
    append("unroll", { type: "thread.rewound", turn_id: "t" });
  }
  expect(seen).toEqual([["thread.opened"], ["thread.rewound"]]);
});

const timestamp = "2030-01-01T00:00:00.000Z";

/** `count`: how many bytes were read. */
function openFiles(path: string): { readonly files: ThreadFiles; readonly count: () => number } {
  let count = 0;
  const files = {
    find: async (threadId: string) => ({ threadId, size: statSync(path).size }),
    read: async () => ({
      async read(buffer: Uint8Array, ...place: [offset: number, length: number, position: number]) {
        const file = openSync(path, "r");
        const bytesRead = readSync(file, buffer, ...place);
        closeSync(file);
        count += bytesRead;
        return { bytesRead };
      },
    }),
  } as unknown as ThreadFiles; // nothing else is called
  return { files, count: () => count };
}
