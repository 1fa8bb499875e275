import { builtInCatalogue, findModelPrice } from "@unroll/config";
import { expect, test } from "vitest";

test("a model of a public list has its price, by a dated name too", () => {
  const price = { input: 1.25, cachedInput: 0.125, output: 10 };
  expect(findModelPrice(builtInCatalogue, "gpt-5", "openai")).toEqual(price);
  expect(findModelPrice(builtInCatalogue, "gpt-5-2025-08-07", "openai")).toEqual(price);
});

test("what is put into the cache has its price where it has one, and a long request its own", () => {
  const long = { above: 272_000, input: 4, cachedInput: 0.2, cacheWrite: 5, output: 15 };
  const price = { input: 2, cachedInput: 0.1, cacheWrite: 2.5, output: 10, long };
  expect(findModelPrice(builtInCatalogue, "gpt-6.1-sol", "openai")).toEqual(price);
  expect(findModelPrice(builtInCatalogue, "gpt-5.5-2026-04-23", "openai")).toEqual({
    input: 5,
    cachedInput: 0.5,
    output: 30,
    long: { above: 272_000, input: 10, cachedInput: 1, output: 45 },
  });
  expect(findModelPrice(builtInCatalogue, "gpt-5.4-mini", "openai")).toEqual({
    input: 0.75,
    cachedInput: 0.075,
    output: 4.5,
  });
});

test("since GPT-5.6 writes cost a quarter more, since GPT-5.4 a long request twice its input and half more output", () => {
  const names = ["gpt-6.2-sol", "gpt-6.1-sol", "gpt-6.1-terra", "gpt-6-astra", "gpt-6-sol", "gpt-6-luna"];
  for (const name of [...names, "gpt-5.6", "gpt-5.6-sol", "gpt-5.6-terra", "gpt-5.6-luna"]) {
    const price = findModelPrice(builtInCatalogue, name, "openai");
    const { input = 0, cachedInput = 0, output = 0 } = price ?? {};
    expect({ name, ...price }).toMatchObject({
      name,
      cacheWrite: expect.closeTo(1.25 * input, 9),
      long: {
        input: 2 * input,
        cachedInput: 2 * cachedInput,
        cacheWrite: expect.closeTo(2.5 * input, 9),
        output: expect.closeTo(1.5 * output, 9),
      },
    });
  }
});

test.each([
  ["gpt-5-of-tomorrow", "openai"],
  ["gpt-5", "a-hub"],
  ["constructor", "openai"],
])("a price that nobody is sure of is none: %s of %s", (model, provider) => {
  expect(findModelPrice(builtInCatalogue, model, provider)).toBe(null);
});
