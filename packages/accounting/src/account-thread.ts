import {
  type CompletedRequest,
  type CacheMiss,
  type JournalEntry,
  listStoredTurns,
  type ModelPrice,
  type TokenUsage,
} from "@unroll/protocol";
import { estimateRequestCost, type CacheCost } from "./estimate-cost.ts";
import { createUsageSum } from "./create-usage-sum.ts";

/** The model whose price is needed. */
type PricedModel = Pick<CompletedRequest, "model" | "provider" | "serviceTier">;

/** Null: it is not known. */
export type PriceOf = (model: PricedModel) => ModelPrice | null;

/** One request that was answered. Tokens are null where the server did not say. */
export interface RequestRow {
  /** From 1 in the thread. */
  readonly request: number;
  /** From 1 in the thread; 0 where no turn ran. */
  readonly turn: number;
  /** When it was sent, in ms since 1970; null: nobody looked at a clock. */
  readonly sentAt: number | null;
  readonly model: string;
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  /** Part of the input. Null also where only the cached ones are not known. */
  readonly uncachedTokens: number | null;
  /** Uncached tokens that the server wrote to its cache. */
  readonly writtenTokens: number | null;
  readonly outputTokens: number | null;
  /** Estimated: what it begins with as the request before it did. */
  readonly sharedTokens: number;
  /** New bytes of the request: bytes added since the request before, or all bytes after a break. */
  readonly addedBytes: number;
  readonly miss: CacheMiss | null;
  /** It was made beside a turn, for a compaction for example. */
  readonly isBeside: boolean;
  /** Null: the price or the tokens are not known. */
  readonly cost: CacheCost | null;
}

/** A thread's usage and cost, request by request. */
export interface ThreadAccount {
  readonly rows: readonly RequestRow[];
  /** Also those that were rewound: their requests were made and cost something. */
  readonly turns: number;
  readonly rewoundTurns: number;
  /** Usage of the whole thread; a turn whose requests were not recorded counts by its total. */
  readonly usage: TokenUsage;
  /** The sum over the requests whose cost is known; null if none is. */
  readonly cost: CacheCost | null;
  /** How many requests it does not hold. */
  readonly unpricedRequests: number;
  /** Whether another program sent requests: they are in the usage, but have no rows and no cost. */
  readonly hasOtherRequests: boolean;
}

/** A thread's usage and cost, request by request, from the entries of its journal. */
export function accountThread(entries: readonly JournalEntry[], priceOf: PriceOf): ThreadAccount {
  const rows: RequestRow[] = [];
  const sum = createUsageSum();
  let turns = 0;
  for (const entry of entries) {
    sum.read(entry);
    if (entry.type === "turn.started") turns += 1;
    if (entry.type === "request" && !entry.request.isInherited)
      rows.push(toRow(entry.request, { request: rows.length + 1, turn: turns, priceOf }));
  }
  const costs = rows.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return {
    rows,
    turns,
    rewoundTurns: turns - listStoredTurns(entries).length,
    usage: sum.total,
    cost: costs.length === 0 ? null : costs.reduce(addCost),
    unpricedRequests: rows.length - costs.length,
    hasOtherRequests: entries.some(({ type }) => type === "usage.counted"),
  };
}

interface RowPlace {
  readonly request: number;
  readonly turn: number;
  readonly priceOf: PriceOf;
}

function toRow(answered: CompletedRequest, { request, turn, priceOf }: RowPlace): RequestRow {
  const { sentAt, model, usage, cache, isBeside } = answered;
  const cached = usage === null ? null : cache.cached_tokens;
  return {
    request,
    turn,
    sentAt,
    model,
    inputTokens: usage?.input_tokens ?? null,
    cachedTokens: cached,
    uncachedTokens: usage === null || cached === null ? null : usage.input_tokens - cached,
    writtenTokens: usage === null ? null : cache.cache_write_tokens,
    outputTokens: usage?.output_tokens ?? null,
    sharedTokens: cache.shared_tokens,
    addedBytes: cache.prefix_bytes - cache.shared_bytes,
    miss: cache.miss,
    isBeside,
    cost: estimateRequestCost(answered, priceOf(answered)),
  };
}

export function addCost(a: CacheCost, b: CacheCost): CacheCost {
  return { withCache: a.withCache + b.withCache, withoutCache: a.withoutCache + b.withoutCache };
}
