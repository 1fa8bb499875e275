import type { RequestCache } from "../event/request-cache.ts";
import type { TokenUsage } from "../event/token-usage.ts";

/** The record of an answered request. */
export interface CompletedRequest {
  readonly responseId: string;
  readonly model: string;
  /** The id of the provider. */
  readonly provider: string;
  /** Null: the ordinary one. */
  readonly serviceTier: string | null;
  /** When it was sent, in ms since 1970; null: nobody looked at a clock. */
  readonly sentAt: number | null;
  /** Null: the server did not say. */
  readonly usage: TokenUsage | null;
  readonly cache: RequestCache;
  /** It was made beside a turn, for example for a compaction: later requests do not continue it. */
  readonly isBeside: boolean;
  /** It was made by the thread that this one is a fork of: what it used is counted there. */
  readonly isInherited: boolean;
}
