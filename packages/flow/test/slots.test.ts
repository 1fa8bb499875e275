import { createSlots } from "@unroll/flow";
import { expect, test } from "vitest";

test("work that finds no place waits in order of arrival, and a place is freed once", async () => {
  const slots = createSlots(1);
  const first = await slots.take();
  const seen: string[] = [];
  const second = slots.take().then((place) => {
    seen.push("second");
    return place;
  });
  const third = slots.take().then(() => seen.push("third"));
  await Promise.resolve();
  expect(seen).toEqual([]);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  const place = await second;
  expect(seen).toEqual(["second"]);
  place[Symbol.dispose]();
  await third;
  expect(seen).toEqual(["second", "third"]);
});
