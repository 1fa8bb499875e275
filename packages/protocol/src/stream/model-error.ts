/** Why a response could not be had. Data only: no live object, no credential. */
export interface ModelError {
  /**
   * The server's own code where it sent one (`context_length_exceeded`, `rate_limit_exceeded`, …), else one of ours:
   * `http_<status>`, `connection_failed`, `connect_timeout`, `first_byte_timeout`, `idle_timeout`, `stream_cut`,
   * `invalid_answer`, `incomplete`, `insufficient_quota`, `usage_limit_reached`, `unauthorized`.
   */
  readonly code: string;
  /** One sentence for a person: what happened, where, what to do. */
  readonly message: string;
  /** Whether sending the same request again can help. Decided by who made the error. */
  readonly retryable: boolean;
  /** HTTP status where there was one. */
  readonly status?: number;
  /** The wait that the server asked for, in ms (`retry-after`, or "try again in 1.5s" in its message). */
  readonly retryAfterMs?: number;
  /** The server's request id (`x-request-id`), for a report to it. */
  readonly requestId?: string;
}
