import type { ThreadSummary } from "@unroll/protocol";
import {
  estimateThreadCost,
  listThreads,
  nameThread,
  readChoosableThreads,
  removeCollected,
  sortThreads,
} from "@unroll/use-cases/threads";
import { expect, test } from "vitest";

const summary = (threadId: string, cwd: string): ThreadSummary => ({
  threadId,
  createdAt: 0,
  usedAt: 0,
  cwd,
  branch: null,
  name: null,
  title: null,
  model: "m",
  provider: "p",
  turns: 1,
  forkedFrom: null,
  size: null,
  usage: { input_tokens: 1_000_000, cached_input_tokens: 0, output_tokens: 0, ...noWritten },
});
const noWritten = { cache_write_input_tokens: 0, reasoning_output_tokens: 0 };

/** The latest thread first; counts what was read. */
function openStore(threads: readonly ThreadSummary[]): { read: number; list(): AsyncIterable<ThreadSummary> } {
  return {
    read: 0,
    async *list() {
      for (const thread of threads) {
        this.read += 1;
        yield thread;
      }
    },
  };
}

async function collect(listed: AsyncGenerator<ThreadSummary, boolean>): Promise<readonly (string | boolean)[]> {
  const found: (string | boolean)[] = [];
  for (;;) {
    const next = await listed.next();
    if (next.done) return [...found, next.value];
    found.push(next.value.threadId);
  }
}

test("threads are listed as the store has them: only wanted ones, a part of them, and whether there are more", async () => {
  const threads = [summary("5", "/a"), summary("4", "/b"), summary("3", "/a"), summary("2", "/a"), summary("1", "/a")];
  const isWanted = ({ cwd }: ThreadSummary): boolean => cwd === "/a";
  expect(await collect(listThreads(openStore(threads), {}))).toEqual(["5", "4", "3", "2", "1", false]);
  expect(await collect(listThreads(openStore(threads), { isWanted, skip: 1, limit: 2 }))).toEqual(["3", "2", true]);
  expect(await collect(listThreads(openStore(threads), { isWanted, skip: 3, limit: 2 }))).toEqual(["1", false]);
  expect(await collect(listThreads(openStore(threads), { skip: 9 }))).toEqual([false]);
  const store = openStore(threads);
  await collect(listThreads(store, { limit: 2 }));
  expect(store.read).toBe(3);
});

test("a thread's cost is that of its tokens, and unknown without a price or where a thread cannot be read", async () => {
  const store = { load: () => Promise.reject(new Error("broken")) };
  const cost = { input: 2, cachedInput: 1, output: 4 };
  expect(await estimateThreadCost(summary("1", "/"), { store, priceOf: () => cost })).toBe(2);
  expect(await estimateThreadCost(summary("1", "/"), { store, priceOf: () => null })).toBeNull();
  const byLength = { ...cost, long: { ...cost, above: 1000 } };
  expect(await estimateThreadCost(summary("1", "/"), { store, priceOf: () => byLength })).toBeNull();
});

test("of collected threads those are deleted that nobody has open and nobody used since", async () => {
  const removeUnused = (id: string): Promise<boolean> =>
    id === "open"
      ? Promise.reject(Object.assign(new Error(), { code: "thread_locked" }))
      : Promise.resolve(id !== "used");
  const toCollected = (threadId: string): { readonly threadId: string; readonly usedAt: number } => ({
    threadId,
    usedAt: 0,
  });
  expect(await removeCollected({ removeUnused }, ["open", "used", "old"].map(toCollected))).toBe(1);
  const broken = { removeUnused: () => Promise.reject(new Error("disk")) };
  await expect(removeCollected(broken, [toCollected("x")])).rejects.toThrow("disk");
});

test("threads to choose from are read with the process that has them open, their origin and their copies, and are sorted", async () => {
  const first = { ...summary("a", "/a"), title: "Tea 10", usedAt: 1, createdAt: 3, size: 2 };
  const forkedFrom = { threadId: "a", turns: 1, title: "Tea 9" };
  const copied = { ...summary("b", "/a"), title: "Tea 10", usedAt: 3, createdAt: 1, forkedFrom };
  const other = { ...summary("c", "/a"), name: "Cocoa", usedAt: 2, createdAt: 2, size: 5 };
  const unknown = { ...summary("d", "/a"), forkedFrom: { threadId: "gone", turns: null, title: null } };
  const listOpen = async () => [{ threadId: "c", pid: 7 }];
  const store = { ...openStore([copied, other, first, unknown]), upkeep: { listOpen } };
  const threads = await readChoosableThreads(store, {});
  expect(threads.map(({ threadId, openIn, origin, copies }) => [threadId, openIn?.pid, origin?.title, copies])).toEqual(
    [
      ["b", undefined, "Tea 10", 0],
      ["c", 7, undefined, 0],
      ["a", undefined, undefined, 1],
      ["d", undefined, undefined, 0],
    ],
  );
  expect(threads.map(nameThread)).toEqual(["Tea 9", "Cocoa", "Tea 10", null]);
  const orders = (["used", "created", "size", "name"] as const).map((order) =>
    sortThreads(threads, order)
      .map(({ threadId }) => threadId)
      .join(""),
  );
  expect(orders).toEqual(["bcad", "acbd", "cabd", "cbad"]);
});
