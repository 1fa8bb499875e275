import { countLeastTokens, createTokenEstimator } from "@unroll/compaction";
import type { StepFacts } from "@unroll/core";
import type { ResponseItem } from "@unroll/protocol";

/** A request that was answered: what the server counted of it, and what it held. */
export interface CountedRequest {
  /** By the server, in tokens. */
  readonly counted: number;
  readonly items: readonly ResponseItem[];
}

interface Reading {
  /** The next request, in tokens, as its server counted and as it is at least; null: nothing is missing. */
  readonly read: number;
  readonly sent: number;
}

/** Share of the previous request: a template may write a few tokens less. */
const sameShare = 0.9;
/**
 * Share of the window: a server that cuts a request to it keeps more than this; one that counts
 * less counts something else.
 */
const leastOfWindow = 0.3;

export function toCounted({ items, lastUsage, lastSpan }: StepFacts): CountedRequest | null {
  if (lastUsage === null || lastUsage.input_tokens === 0) return null;
  return { counted: lastUsage.input_tokens, items: items.slice(0, lastSpan.sent) };
}

/**
 * Whether a server read less than it was sent: fewer tokens than so much text can have, or fewer than the request before had, which this
 * one begins with, and what came since. `before`: that one; null: it is the first. `window`: in tokens; null: not known.
 */
export function findUnread(
  { counted, items }: CountedRequest,
  { before, headBytes, window }: UnreadContext,
): Reading | null {
  if (window !== null && counted < leastOfWindow * window) return null;
  const least = countLeastTokens(items, headBytes);
  const grown = before === null ? 0 : countGrown(before, items);
  const sent = Math.floor(Math.max(least, grown));
  return counted < sent ? { read: counted, sent } : null;
}

export interface UnreadContext {
  readonly before: CountedRequest | null;
  readonly headBytes: number;
  readonly window: number | null;
}

function countGrown(before: CountedRequest, items: readonly ResponseItem[]): number {
  const added = countLeastTokens(items.slice(before.items.length), 0);
  // templates leave out what a model thought in earlier turns
  const reasoning = before.items.filter(({ type }) => type === "reasoning");
  return sameShare * before.counted + added - createTokenEstimator().estimate(reasoning);
}
