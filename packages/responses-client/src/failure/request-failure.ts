import type { ModelError } from "@unroll/protocol";

/**
 * Why one try failed; thrown inside this package only and made an outcome by `settleAttempt`. `phase` says which retries
 * it draws on: `request` before an answer began, `stream` after.
 */
export class RequestFailure extends Error {
  override readonly name = "RequestFailure";
  readonly phase: "request" | "stream";
  readonly error: ModelError;

  constructor(phase: "request" | "stream", error: ModelError, cause?: unknown) {
    super(error.message, { cause });
    this.phase = phase;
    this.error = error;
  }
}
