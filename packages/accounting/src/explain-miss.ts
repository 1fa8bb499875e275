import type { CacheMiss, CacheBreak, RequestCache } from "@unroll/protocol";

/** The facts about an answered request. */
export interface CacheFacts extends Pick<RequestCache, "shared_bytes" | "shared_tokens" | "cached_tokens" | "idle_ms"> {
  /** Null: the request begins as the one before it did, or there was none. */
  readonly broken: CacheBreak | null;
}

/** Providers cache nothing shorter, and the rest in blocks (OpenAI's guide to prompt caching, 2025: 1,024 and 128). */
const shortestTokens = 1024;
const blockTokens = 128;
/** How much of what is shared may be missing without being a miss: rounding, and what an estimate is off by. */
const toleratedShare = 0.02;
/** The same guide: a prefix that nobody uses is kept for 5 to 10 minutes, at times for an hour. */
const keptMs = 5 * 60_000;

/** Why a request was not answered from the cache as far as it could have been; null where it was. */
export function explainMiss(facts: CacheFacts): CacheMiss | null {
  const { broken, shared_bytes: sharedBytes, shared_tokens: shared, cached_tokens: cached, idle_ms: idleMs } = facts;
  if (broken !== null) return broken;
  if (sharedBytes === 0) return null;
  if (cached === null) return { type: "not_reported", cause: "the server does not report what it had cached" };
  if (cached >= shared - Math.max(2 * blockTokens, shared * toleratedShare)) return null;
  if (shared < shortestTokens) {
    return { type: "too_short", cause: "providers cache nothing below 1,024 tokens" };
  }
  if (idleMs !== null && idleMs >= keptMs) {
    return {
      type: "expired",
      cause: `the previous request was ${toDuration(idleMs)} earlier: the server may have forgotten it`,
    };
  }
  const ago = idleMs === null ? "" : `, ${toDuration(idleMs)} after the previous request`;
  return { type: "unexplained", cause: `the prefix was the same, but the server did not use all of its cache${ago}` };
}

function toDuration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (ms < 60_000) return `${Math.ceil(ms / 1000)} s`;
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
