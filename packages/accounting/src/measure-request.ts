import type { CompletedRequest, FirstDifference, CacheBreak, RequestCache } from "@unroll/protocol";
import { bytesPerToken } from "@unroll/text";
import { explainHeadBreak, type RequestHeadFacts } from "./explain-head-break.ts";

/** How a transcript stands to what the last request that was answered had sent. */
export interface ResentPart {
  /** Size of the items that it sent. */
  readonly bytes: number;
  /** Of them those, from the first on, that are sent again as they were. */
  readonly sharedBytes: number;
  /** Null: all are. */
  readonly firstDifference: FirstDifference | null;
  /** Why a new epoch started since then; null if none did. */
  readonly cause: string | null;
}

/** The last request of the turns that was answered. */
export interface PreviousRequest {
  /** Null: nobody knows how it began. */
  readonly opening: RequestHeadFacts | null;
  readonly request: CompletedRequest;
}

/** A request that is about to be sent. */
export interface RequestNow {
  readonly opening: RequestHeadFacts;
  /** Size of its items. */
  readonly inputBytes: number;
  /** How they stand to those of the request before; null: there was none. */
  readonly part: ResentPart | null;
  /** Null: nobody looked at a clock. */
  readonly sentAt: number | null;
  /** It is made beside a turn. */
  readonly isBeside: boolean;
  /** Another program began the thread. */
  readonly isForeign: boolean;
}

/** How a request stands to the one before it. */
export interface MeasuredRequest {
  /** All but what the answer tells. */
  readonly facts: Omit<RequestCache, "cached_tokens" | "cache_write_tokens" | "miss">;
  /** Null: it begins as the one before it did, or there was none. */
  readonly broken: CacheBreak | null;
}

/** The part that a request shares with the previous one, and the cause of the difference. */
export function measureRequest(before: PreviousRequest | null, now: RequestNow): MeasuredRequest {
  const { opening, inputBytes, sentAt, isForeign } = now;
  const prefix_bytes = opening.head.bytes.length + inputBytes;
  if (before === null) {
    const facts = { prefix_bytes, shared_bytes: 0, shared_tokens: 0, idle_ms: null };
    return { facts, broken: isForeign ? otherProgram : null };
  }
  const { request } = before;
  const { sharedBytes: shared_bytes, broken } = compare(before, now);
  const idle_ms = sentAt === null || request.sentAt === null ? null : Math.max(0, sentAt - request.sentAt);
  return { facts: { prefix_bytes, shared_bytes, shared_tokens: toTokens(shared_bytes, request), idle_ms }, broken };
}

interface Compared {
  readonly sharedBytes: number;
  readonly broken: CacheBreak | null;
}

function compare({ opening: before, request }: PreviousRequest, { opening, part, isBeside }: RequestNow): Compared {
  if (before === null) return { sharedBytes: 0, broken: otherProgram };
  const head = explainHeadBreak(before, opening);
  if (head.broken !== null) return isBeside ? { ...head, broken: toOtherKind(head.broken) } : head;
  if (part === null || before.head.bytes.length + part.bytes !== request.cache.prefix_bytes)
    return { sharedBytes: head.sharedBytes, broken: part === null ? changed : explainLost(part) };
  return { sharedBytes: head.sharedBytes + part.sharedBytes, broken: explainPart(part) };
}

function toOtherKind({ first_difference }: CacheBreak): CacheBreak {
  return { type: "other_input", first_difference, cause: "the summary came from another kind of request" };
}

function explainPart({ firstDifference: first_difference, cause }: ResentPart): CacheBreak | null {
  if (first_difference === null) return null;
  return cause === null
    ? { type: "other_input", first_difference, cause: "the summary was requested with a shorter input" }
    : { type: "epoch_opened", first_difference, cause };
}

/** Used if the sent items are not at hand: a resumed thread is not read from its beginning. */
function explainLost({ cause }: ResentPart): CacheBreak {
  return cause === null ? changed : { ...changed, type: "epoch_opened", cause };
}

const otherProgram: CacheBreak = {
  type: "other_program",
  first_difference: { index: null, type: "head" },
  cause: "another program started the thread, and the start of its requests is unknown",
};

const changed: CacheBreak = {
  type: "history_changed",
  first_difference: { index: null, type: "input" },
  cause: "the items differ from the bytes that were sent: the file was repaired or changed",
};

/** So many bytes of a request, in tokens. */
export function toTokens(bytes: number, { usage, cache }: CompletedRequest): number {
  if (usage === null || cache.prefix_bytes === 0) return Math.round(bytes / bytesPerToken);
  return Math.round((usage.input_tokens * bytes) / cache.prefix_bytes);
}
