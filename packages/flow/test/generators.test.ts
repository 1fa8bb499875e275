import { createEventQueue, drain, flatMap, forEach, yieldAll } from "@unroll/flow";
import { expect, test } from "vitest";

/** Counts to 3, returns "end", and says whether it was left. */
function count(): { readonly numbers: AsyncGenerator<number, string>; readonly log: readonly string[] } {
  const log: string[] = [];
  async function* run(): AsyncGenerator<number, string> {
    try {
      for (const number of [1, 2, 3]) {
        log.push(`pulled ${number}`);
        yield number;
      }
      return "end";
    } finally {
      log.push("left");
    }
  }
  return { numbers: run(), log };
}

test("a generator is drained to what it returns", async () => {
  expect(await drain(count().numbers)).toBe("end");
});

test("forEach runs for each value in turn, waits for it, and gives what the generator returns", async () => {
  const { numbers, log } = count();
  const seen: string[] = [];
  const end = await forEach(numbers, async (number) => {
    await Promise.resolve();
    seen.push(`${number} after ${log.at(-1)}`);
  });
  expect({ end, seen }).toEqual({ end: "end", seen: ["1 after pulled 1", "2 after pulled 2", "3 after pulled 3"] });
});

test("if the work throws, the generator ends before the error is rethrown", async () => {
  const { numbers, log } = count();
  const failing = forEach(numbers, () => {
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(log).toEqual(["pulled 1", "left"]);
});

test("flatMap yields what is made of each value, and returns what the generator returns", async () => {
  const seen: number[] = [];
  const items = flatMap(count().numbers, (number) => (number === 2 ? [] : [number, number * 10]));
  expect(await forEach(items, (item) => void seen.push(item))).toBe("end");
  expect(seen).toEqual([1, 10, 3, 30]);
});

test("leaving flatMap early ends the generator", async () => {
  const { numbers, log } = count();
  for await (const item of flatMap(numbers, (number) => [number, number])) {
    expect(item).toBe(1);
    break;
  }
  expect(log).toEqual(["pulled 1", "left"]);
});

test("flatMap serves those who do not wait for each other in their order", async () => {
  const { numbers, log } = count();
  const items = flatMap(numbers, (number) => [number, number * 10]);
  const pulls = Array.from({ length: 4 }, () => items.next());
  const left = items.return("left early");
  const values = (await Promise.all(pulls)).map(({ value }) => value);
  expect({ values, left: await left, after: (await items.next()).done }).toEqual({
    values: [1, 10, 2, 20],
    left: { done: true, value: "left early" },
    after: true,
  });
  expect(log).toEqual(["pulled 1", "pulled 2", "left"]);
});

test("what is made of a value is ended with flatMap, and so is the generator where making it fails", async () => {
  const { numbers, log } = count();
  const ended: string[] = [];
  function* twice(number: number): Generator<number> {
    try {
      yield number;
      if (number === 2) throw new Error("no two");
      yield number * 10;
    } finally {
      ended.push(`made of ${number}`);
    }
  }
  await expect(drain(flatMap(numbers, twice))).rejects.toThrow("no two");
  expect({ ended, log }).toEqual({ ended: ["made of 1", "made of 2"], log: ["pulled 1", "pulled 2", "left"] });
  const other = flatMap(count().numbers, twice);
  await other.next();
  await other[Symbol.asyncDispose]();
  expect(ended.at(-1)).toBe("made of 1");
});

test("an event queue holds its writers up while its reader is behind, and drops what comes after its end", async () => {
  const queue = createEventQueue<string>(1);
  await queue.push("a");
  let isThrough = false;
  const second = queue.push("b").then(() => (isThrough = true));
  await Promise.resolve();
  expect(isThrough).toBe(false);
  const events = queue.events();
  expect(await events.next()).toEqual({ done: false, value: "a" });
  await second;
  queue.close();
  await queue.push("late");
  const rest: string[] = [];
  for await (const event of events) rest.push(event);
  expect(rest).toEqual(["b"]);
});

test("values that a reader leaves unread go elsewhere, and nothing does if it reads all", () => {
  const left: (readonly number[])[] = [];
  const tell = (rest: readonly number[]): void => void left.push(rest);
  expect([...yieldAll([1, 2, 3], tell)]).toEqual([1, 2, 3]);
  for (const wanted of [1, 3]) for (const value of yieldAll([1, 2, 3], tell)) if (value === wanted) break;
  expect(left).toEqual([[2, 3], []]);
});
