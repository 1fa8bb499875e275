import type { ResponseItem } from "../item/response-item.ts";
import type { ModelError } from "./model-error.ts";
import type { ResponseEvent } from "./response-event.ts";
import type { ResponseUsage } from "./response-usage.ts";

/** How a request to the model ended. A stream that was cut is `failed`, never `completed`. */
export type StreamOutcome =
  | { readonly type: "completed"; readonly responseId: string; readonly usage: ResponseUsage | null }
  | { readonly type: "failed"; readonly error: ModelError; readonly counted?: CountedResponse }
  | { readonly type: "aborted" };

/** A server's counts of a response that it ended too early. */
export interface CountedResponse {
  readonly responseId: string;
  readonly usage: ResponseUsage | null;
}

/**
 * The outcome of a compaction request (Responses API, `POST /responses/compact`). `items`: the
 * compacted input.
 */
export type CompactionOutcome =
  | {
      readonly type: "completed";
      readonly responseId: string;
      readonly items: readonly ResponseItem[];
      readonly usage: ResponseUsage | null;
    }
  | { readonly type: "failed"; readonly error: ModelError }
  | { readonly type: "aborted" };

/**
 * The same request is about to be sent again: everything that came since it was first sent is void.
 * `attempt` counts from 1; `maxAttempts` is how many retries this kind of failure is given.
 */
export interface StreamRetry {
  readonly type: "stream.retrying";
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly delayMs: number;
  readonly cause: ModelError;
}

/** Something of an answer could not be used. `message`: sentences for a person, without credentials. */
export interface StreamWarning {
  readonly type: "stream.warning";
  readonly message: string;
}

/** An event of a model client. */
export type ModelStreamEvent = ResponseEvent | StreamRetry | StreamWarning;
