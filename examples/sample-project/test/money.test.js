import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAmount, parseAmount } from "../src/money.js";

test("an amount is read as cents", () => {
  assert.equal(parseAmount("12.50"), 1250);
  assert.equal(parseAmount("7"), 700);
});

test("text that is not an amount is refused", () => {
  assert.throws(() => parseAmount("12.5"), TypeError);
  assert.throws(() => parseAmount("a lot"), TypeError);
});

test("cents are written as an amount", () => {
  assert.equal(formatAmount(1250), "12.50");
  assert.equal(formatAmount(5), "0.05");
});
