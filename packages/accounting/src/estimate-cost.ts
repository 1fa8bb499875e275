import type { CompletedRequest, ModelPrice, RequestCache, TokenRates, TokenUsage } from "@unroll/protocol";

/** In USD, by the public list. */
export interface CacheCost {
  readonly withCache: number;
  /** Had nothing been cached, nor put into the cache. */
  readonly withoutCache: number;
}

/** The cost of one request; the server must have reported all its counts. Reasoning is part of the output. */
export function estimateCost(usage: TokenUsage, price: ModelPrice): CacheCost {
  return multiply(usage, findRates(usage.input_tokens, price));
}

/** The cost of an answered request; null if its price, or a count that it depends on, is unknown. */
export function estimateRequestCost(
  { usage, cache }: Pick<CompletedRequest, "usage" | "cache">,
  price: ModelPrice | null,
): CacheCost | null {
  if (price === null || usage === null || cache.cached_tokens === null) return null;
  const rates = findRates(usage.input_tokens, price);
  const isWriteMissing = toWriteRate(rates) !== rates.input && readWritten(cache) === null;
  return isWriteMissing ? null : multiply(usage, rates);
}

/**
 * The highest possible cost of one request in USD: tokens that the server does not report as cached or written to its
 * cache are counted at the highest rate.
 */
export function estimateHighestCost(usage: TokenUsage, cache: RequestCache | null, price: ModelPrice): number {
  const rates = findRates(usage.input_tokens, price);
  const { input_tokens: input, cached_input_tokens: cached } = usage;
  const isDearer = toWriteRate(rates) > rates.input && (cache === null || readWritten(cache) === null);
  return multiply(isDearer ? { ...usage, cache_write_input_tokens: input - cached } : usage, rates).withCache;
}

/**
 * The lowest possible cost in USD of one request with at least this many input tokens: all of them cached, and an empty
 * answer.
 */
export function estimateLowestCost(inputTokens: number, price: ModelPrice): number {
  return (inputTokens * findRates(inputTokens, price).cachedInput) / 1e6;
}

/** The usage of several requests together. */
export interface UsageTotal {
  readonly usage: TokenUsage;
  /** In tokens, of the request that had the most; null: nobody knows. */
  readonly longestInput: number | null;
}

/**
 * Null if only the single requests can tell: some may have been long enough to cost more, or the server may not have
 * reported how much it wrote to its cache.
 */
export function estimateTotalCost({ usage, longestInput }: UsageTotal, price: ModelPrice): CacheCost | null {
  const { long, input } = price;
  const isShort = long === undefined || (longestInput ?? usage.input_tokens) <= long.above;
  const isWritten = toWriteRate(price) === input || usage.cache_write_input_tokens > 0 || usage.input_tokens === 0;
  return isShort && isWritten ? multiply(usage, price) : null;
}

/** The rates for a request with this many input tokens. */
function findRates(inputTokens: number, price: ModelPrice): TokenRates {
  return price.long !== undefined && inputTokens > price.long.above ? price.long : price;
}

/** Null for entries of an older store, which did not record it. */
function readWritten({ cache_write_tokens: written }: Partial<RequestCache>): number | null {
  return written ?? null;
}

function toWriteRate({ input, cacheWrite = input }: TokenRates): number {
  return cacheWrite;
}

function multiply(usage: TokenUsage, rates: TokenRates): CacheCost {
  const { input_tokens: input, cached_input_tokens: cached, cache_write_input_tokens: written } = usage;
  const plain = Math.max(0, input - cached - written);
  const outputCost = usage.output_tokens * rates.output;
  const inputCost = plain * rates.input + cached * rates.cachedInput + written * toWriteRate(rates);
  return { withCache: (inputCost + outputCost) / 1e6, withoutCache: (input * rates.input + outputCost) / 1e6 };
}
