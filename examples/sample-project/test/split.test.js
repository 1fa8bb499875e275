import assert from "node:assert/strict";
import { test } from "node:test";
import { splitEvenly } from "../src/split.js";

const friends = ["Ada", "Grace", "Linus"];
const sharesOf = (cents, people) => splitEvenly(cents, people).map((share) => share.cents);

test("a bill that divides evenly is shared evenly", () => {
  assert.deepEqual(sharesOf(900, friends), [300, 300, 300]);
});

test("the first person pays the cent that is left over", () => {
  assert.deepEqual(sharesOf(1000, friends), [334, 333, 333]);
});

test("the shares add up to the bill when two cents are left over", () => {
  assert.deepEqual(sharesOf(200, friends), [67, 67, 66]);
});

test("a bill without people is refused", () => {
  assert.throws(() => splitEvenly(900, []), RangeError);
});
