import type { CompactionOutcome, EncodedRequest, ModelStreamEvent, StreamOutcome, StreamRetry } from "@unroll/protocol";

/**
 * Sends one request to a model. Retrying is the client's: it yields `stream.retrying` before each further attempt, and
 * whatever it yielded since the request began is void then. Expected failures are outcomes, never exceptions. Leaving
 * the generator early closes the connection. An abort ends the request soon: the turn waits for its outcome, because an
 * answer that comes just then was paid for.
 */
export interface ModelClient {
  stream(request: EncodedRequest, signal: AbortSignal): AsyncGenerator<ModelStreamEvent, StreamOutcome>;
  /** Has the server shorten the input of the request (`/responses/compact`). Absent: it cannot. */
  compact?(request: EncodedRequest, signal: AbortSignal): AsyncGenerator<StreamRetry, CompactionOutcome>;
}
