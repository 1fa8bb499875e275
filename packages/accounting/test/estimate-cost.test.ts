import {
  estimateCost,
  estimateHighestCost,
  estimateLowestCost,
  estimateRequestCost,
  estimateTotalCost,
} from "@unroll/accounting";
import { type ModelPrice, noTokenUsage, type RequestCache, type TokenUsage } from "@unroll/protocol";
import { expect, test } from "vitest";

const long = { above: 1000, input: 4, cachedInput: 2, cacheWrite: 6, output: 15 };
const free: ModelPrice = { input: 2, cachedInput: 1, output: 10 };
const price: ModelPrice = { ...free, cacheWrite: 3, long };

function use(input: number, cached: number, written: number): TokenUsage {
  const output = { output_tokens: 10, reasoning_output_tokens: 5 };
  return { ...output, input_tokens: input, cached_input_tokens: cached, cache_write_input_tokens: written };
}

function told(cached_tokens: number | null, cache_write_tokens: number | null): RequestCache {
  return {
    prefix_bytes: 1,
    shared_bytes: 0,
    shared_tokens: 0,
    cached_tokens,
    cache_write_tokens,
    idle_ms: null,
    miss: null,
  };
}

test.each([
  ["each part of the input at its own price", use(1000, 500, 300), price, [500 + 900 + 400 + 100, 2000 + 100]],
  ["a longer one as a whole at that of long ones", use(1001, 500, 300), price, [1000 + 1800 + 804 + 150, 4004 + 150]],
  ["what is put there as input, where it has no price", use(1000, 0, 1000), { ...free, long }, [2100, 2100]],
  ["no less than nothing, whatever a server counts", use(100, 100, 100), price, [100 + 300 + 100, 300]],
] as const)("a request costs %s", (...[, usage, at, millionths]) => {
  const { withCache, withoutCache } = estimateCost(usage, at);
  expect([withCache, withoutCache]).toEqual(millionths.map((each) => each / 1e6));
});

test("where a server does not say what its price depends on, a cost is unknown, and at most what it can be", () => {
  const usage = use(1000, 500, 0);
  expect(estimateRequestCost({ usage, cache: told(500, 0) }, price)?.withCache).toBe(1600 / 1e6);
  expect(estimateRequestCost({ usage, cache: told(500, null) }, price)).toBe(null);
  expect(estimateRequestCost({ usage, cache: told(500, null) }, free)?.withCache).toBe(1600 / 1e6);
  expect(estimateRequestCost({ usage, cache: told(null, 0) }, price)).toBe(null);
  expect(estimateHighestCost(usage, told(500, 0), price)).toBe(1600 / 1e6);
  expect(estimateHighestCost(usage, told(500, null), price)).toBe(2100 / 1e6);
  expect(estimateHighestCost(usage, null, price)).toBe(2100 / 1e6);
  expect(estimateHighestCost(usage, null, free)).toBe(1600 / 1e6);
  expect([1000, 1001].map((tokens) => estimateLowestCost(tokens, price))).toEqual([1000 / 1e6, 2002 / 1e6]);
});

test("requests are reckoned together only where none was long, and somebody said what was put into the cache", () => {
  const usage = use(3000, 1000, 1000);
  const known = { withCache: 6100 / 1e6, withoutCache: 6100 / 1e6 };
  expect(estimateTotalCost({ usage, longestInput: 1000 }, price)).toEqual(known);
  expect(estimateTotalCost({ usage, longestInput: 1001 }, price)).toBe(null);
  expect(estimateTotalCost({ usage, longestInput: null }, price)).toBe(null);
  expect(estimateTotalCost({ usage: use(1000, 0, 1000), longestInput: null }, price)).not.toBe(null);
  expect(estimateTotalCost({ usage: use(3000, 1000, 0), longestInput: 1000 }, price)).toBe(null);
  expect(estimateTotalCost({ usage: noTokenUsage, longestInput: null }, price)).toEqual({
    withCache: 0,
    withoutCache: 0,
  });
});
