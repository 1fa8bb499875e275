import type { Refusal } from "./refusal.ts";

/** Why there is no response. Data only: no live object, no credential. */
export interface ModelError {
  /**
   * One of ours where we know what happened, whatever the server calls it: `context_length_exceeded`, `content_refused`,
   * `server_not_ready`, `unauthorized`, `connection_failed`, `connect_timeout`, `first_byte_timeout`, `idle_timeout`, `stream_cut`,
   * `invalid_answer`, `incomplete`. Else the server's own (`rate_limit_exceeded`, `insufficient_quota`, …), or `http_<status>`.
   */
  readonly code: string;
  /** One sentence for a person: what happened, where, what to do. */
  readonly message: string;
  /** Whether sending the same request again can help. The code that made the error decides. */
  readonly retryable: boolean;
  /** HTTP status where there was one. */
  readonly status?: number;
  /** The wait that the server asked for, in ms (`retry-after`, or "try again in 1.5s" in its message). */
  readonly retryAfterMs?: number;
  /** The part of the request that the server refused; absent: it does not say. */
  readonly refusal?: Refusal;
  /** The server's request id (`x-request-id`), for a report to it. */
  readonly requestId?: string;
}

const overloadCodes: ReadonlySet<string> = new Set([
  "server_is_overloaded",
  "server_overloaded",
  "overloaded_error",
  "slow_down",
  "rate_limit_exceeded",
]);

/** Whether the server says that it, or the model, has too much to do. Every reader of that fact asks here. */
export function isOverload({ code, status }: Pick<ModelError, "code" | "status">): boolean {
  return status === 429 || overloadCodes.has(code);
}

const usedUpCodes: ReadonlySet<string> = new Set(["usage_limit_reached", "usage_not_included", "insufficient_quota"]);

/** Whether the account may send no more: its plan, quota or credit is used up. No wait within a turn helps. */
export function isUsedUp({ code, status }: Pick<ModelError, "code" | "status">): boolean {
  return status === 402 || usedUpCodes.has(code);
}
