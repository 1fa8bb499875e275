import type { CountedResponse, ModelError } from "@unroll/protocol";

/**
 * Why one try failed; thrown inside this package only and made an outcome by `settleAttempt`. `phase` says which retries
 * it draws on: `request` before an answer began, `stream` after.
 */
export class RequestFailure extends Error {
  override readonly name = "RequestFailure";
  readonly phase: "request" | "stream";
  readonly error: ModelError;
  /** The usage of the response anyway; absent: the server did not say. */
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

/**
 * A message for the user: the failure, the server's own words, and advice. The server's words
 * become one line without control characters, because they end up on a terminal.
 */
export function composeMessage(what: string, said: string | null, advice: string): string {
  const line = (said ?? "").replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  const statement = line === "" ? what : `${what}: ${line}`;
  return `${statement}${/[.!?]$/.test(statement) ? "" : "."} ${advice}`.trimEnd();
}
