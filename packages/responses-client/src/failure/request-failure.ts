import type { CountedResponse, ModelError } from "@unroll/protocol";

/**
 * Why one try failed; thrown inside this package only and made an outcome by `settleAttempt`. `phase` says which retries
 * it draws on: `request` before an answer began, `stream` after.
 */
export class RequestFailure extends Error {
  override readonly name = "RequestFailure";
  readonly phase: "request" | "stream";
  readonly error: ModelError;
  /** What the answer took all the same; absent: the server did not say. */
  readonly counted?: CountedResponse;

  constructor(
    phase: "request" | "stream",
    error: ModelError,
    { cause, counted }: { readonly cause?: unknown; readonly counted?: CountedResponse } = {},
  ) {
    super(error.message, { cause });
    if (counted !== undefined) this.counted = counted;
    this.phase = phase;
    this.error = error;
  }
}
