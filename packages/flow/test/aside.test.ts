import { createAside } from "@unroll/flow";
import { expect, test } from "vitest";

const options = {
  capacity: 2,
  onSkipped: (count: number): string => `${count} lost`,
  isLast: (value: string): boolean => value === "last",
};
const nothing = (): void => {};

async function pullAll(generator: AsyncGenerator<string, string>): Promise<readonly string[]> {
  const values: string[] = [];
  for (;;) {
    const next = await generator.next();
    if (next.done === true) return [...values, `returned ${next.value}`];
    values.push(next.value);
  }
}

test("what waits comes first, then what is pushed in between, and nothing behind the last value", async () => {
  const aside = createAside<string>(options);
  async function* count(): AsyncGenerator<string, string> {
    yield "1";
    aside.push("beside 1");
    yield "2";
    return "done";
  }
  aside.push("before");
  const own: string[] = [];
  expect(await pullAll(aside.join(count(), (value) => own.push(value)))).toEqual([
    "before",
    "1",
    "beside 1",
    "2",
    "returned done",
  ]);
  expect(own).toEqual(["1", "2"]);
});

test("what is pushed while somebody holds the last value waits for the next generator", async () => {
  const aside = createAside<string>(options);
  async function* count(): AsyncGenerator<string, string> {
    yield "1";
    yield "last";
    aside.push("late");
    return "done";
  }
  const told: string[] = [];
  const joined = aside.join(count(), nothing);
  for await (const value of joined) {
    told.push(value);
    if (!value.startsWith("while")) aside.push(`while ${value} is held`);
  }
  expect(told).toEqual(["1", "while 1 is held", "last"]);
  async function* empty(): AsyncGenerator<string, string> {
    yield* [];
    return "done";
  }
  expect(await pullAll(aside.join(empty(), nothing))).toEqual(["while last is held", "late", "returned done"]);
});

test("what is pushed while the generator is silent is given out at once", async () => {
  const aside = createAside<string>(options);
  const end = Promise.withResolvers<string>();
  async function* silent(): AsyncGenerator<string, string> {
    yield await end.promise;
    return "done";
  }
  const joined = aside.join(silent(), nothing);
  const first = joined.next();
  aside.push("news");
  expect(await first).toEqual({ done: false, value: "news" });
  end.resolve("1");
  expect(await pullAll(joined)).toEqual(["1", "returned done"]);
});

test("values that nobody takes are bounded, and the loss is reported", async () => {
  const aside = createAside<string>(options);
  for (const value of ["a", "b", "c", "d"]) aside.push(value);
  async function* empty(): AsyncGenerator<string, string> {
    yield* [];
    return "done";
  }
  expect(await pullAll(aside.join(empty(), nothing))).toEqual(["2 lost", "c", "d", "returned done"]);
});

test("leaving early ends the generator, also where it fails meanwhile", async () => {
  const aside = createAside<string>(options);
  let hasEnded = false;
  async function* failing(): AsyncGenerator<string, string> {
    try {
      yield "1";
      throw new Error("late");
    } finally {
      hasEnded = true;
    }
  }
  aside.push("first");
  for await (const value of aside.join(failing(), nothing)) if (value === "first") break;
  expect(hasEnded).toBe(true);
  hasEnded = false;
  for await (const value of aside.join(failing(), nothing)) if (value === "1") break;
  expect(hasEnded).toBe(true);
  await expect(pullAll(aside.join(failing(), nothing))).rejects.toThrow("late");
});

test("a value that a generator makes while its reader leaves at another one is heard all the same", async () => {
  const aside = createAside<string>(options);
  const stop = Promise.withResolvers<string>();
  async function* ending(): AsyncGenerator<string, string> {
    yield await stop.promise;
    return "done";
  }
  const heard: string[] = [];
  aside.push("first");
  for await (const value of aside.join(ending(), (made) => heard.push(made))) {
    expect(value).toBe("first");
    stop.resolve("end");
    break;
  }
  expect(heard).toEqual(["end"]);
});
