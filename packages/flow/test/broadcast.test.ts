import { createBroadcast } from "@unroll/flow";
import { expect, test } from "vitest";

const open = (capacity = 4) => createBroadcast<string>({ capacity, onSkipped: (count) => `${count} skipped` });

async function readAll(values: AsyncGenerator<string, void>): Promise<readonly string[]> {
  const read: string[] = [];
  for await (const value of values) read.push(value);
  return read;
}

test("every reader gets what is published from its call on, in order, at its own pace", async () => {
  const { publish, read, close } = open();
  publish("before");
  const first = read();
  publish("a");
  const second = read();
  publish("b");
  expect(await first.next()).toEqual({ done: false, value: "a" });
  publish("c");
  close();
  publish("after");
  expect(await readAll(first)).toEqual(["b", "c"]);
  expect(await readAll(second)).toEqual(["b", "c"]);
  expect(await readAll(read())).toEqual([]);
});

test("a reader that waits gets a value as soon as it is there, and its end", async () => {
  const { publish, read, close } = open();
  const reader = read();
  const value = reader.next();
  publish("a");
  expect(await value).toEqual({ done: false, value: "a" });
  const end = reader.next();
  close();
  expect(await end).toEqual({ done: true, value: undefined });
});

test("a reader that falls behind loses the oldest values and gets their number, others lose nothing", async () => {
  const { publish, read, close } = open(2);
  const [slow, quick] = [read(), read()];
  const seen: string[] = [];
  for (const value of ["a", "b", "c", "d", "e"]) {
    publish(value);
    seen.push(String((await quick.next()).value));
  }
  expect(seen).toEqual(["a", "b", "c", "d", "e"]);
  expect(await slow.next()).toEqual({ done: false, value: "3 skipped" });
  for (const value of ["f", "g"]) publish(value);
  close();
  expect(await readAll(slow)).toEqual(["2 skipped", "f", "g"]);
});

test("an abort ends a reader at once, whether it waits, lags or has not begun", async () => {
  const { publish, read } = open();
  const abort = new AbortController();
  const [waiting, lagging] = [read({ signal: abort.signal }), read({ signal: abort.signal })];
  const waited = waiting.next();
  abort.abort();
  publish("a");
  expect(await waited).toEqual({ done: true, value: undefined });
  expect(await readAll(lagging)).toEqual([]);
  expect(await readAll(read({ signal: abort.signal }))).toEqual([]);
});

test("leaving a reader early frees it: nothing is kept for it, no listener stays, and a wait of it ends", async () => {
  let made = 0;
  const { publish, read } = createBroadcast({ capacity: 1, onSkipped: () => (made += 1) });
  const abort = new AbortController();
  const listeners = new Set<unknown>();
  const { signal } = abort;
  const add = signal.addEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => (listeners.add(args[1]), add(...args));
  const remove = signal.removeEventListener.bind(signal);
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners.delete(args[1]), remove(...args));

  const [unread, looped, waiting] = [read({ signal }), read({ signal }), read({ signal })];
  const waited = waiting.next();
  await waiting.return();
  expect(await waited).toEqual({ done: true, value: undefined });
  publish(10);
  for await (const value of looped) {
    expect(value).toBe(10);
    break;
  }
  await unread[Symbol.asyncDispose]();
  for (const value of [11, 12, 13]) publish(value);
  expect(await Promise.all([unread, looped, waiting].map((reader) => reader.next()))).toEqual(
    Array.from({ length: 3 }, () => ({ done: true, value: undefined })),
  );
  expect({ made, listeners: listeners.size }).toEqual({ made: 0, listeners: 0 });
});

test("a reader that waits can be left", async () => {
  const reader = open().read();
  const waiting = reader.next();
  expect(await reader.return()).toEqual({ done: true, value: undefined });
  expect(await waiting).toEqual({ done: true, value: undefined });
});
