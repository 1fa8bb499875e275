import { builtInCatalogue, findModelPrice } from "@unroll/config";
import { expect, test } from "vitest";

test("a model of a public list has its price, by a dated name too", () => {
  const price = { input: 1.25, cachedInput: 0.125, output: 10 };
  expect(findModelPrice(builtInCatalogue, "gpt-5", "openai")).toEqual(price);
  expect(findModelPrice(builtInCatalogue, "gpt-5-2025-08-07", "openai")).toEqual(price);
});

test.each([
  ["gpt-5-of-tomorrow", "openai"],
  ["gpt-5", "a-hub"],
  ["constructor", "openai"],
])("a price that nobody is sure of is none: %s of %s", (model, provider) => {
  expect(findModelPrice(builtInCatalogue, model, provider)).toBe(null);
});
