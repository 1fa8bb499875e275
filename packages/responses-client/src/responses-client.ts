import { type Clock, drain } from "@unroll/flow";
import type {
  CompactionOutcome,
  RateLimits,
  RequestBody,
  ModelStreamEvent,
  StreamOutcome,
  StreamRetry,
} from "@unroll/protocol";
import { checkShape } from "@unroll/text";
import { createRedactor } from "./failure/redactor.ts";
import type { CredentialProvider, ProviderEndpoint } from "./ports.ts";
import { settleAttempt } from "./retry/settle-attempt.ts";
import { type RetryPolicy, withRetry } from "./retry/with-retry.ts";
import { createLossTeller, type Loss } from "./stream/create-loss-teller.ts";
import {
  findApi,
  probePath,
  type ServerApi,
  readModels,
  type ReachOutcome,
  toReachOutcome,
} from "./stream/reach-server.ts";
import { readCompaction } from "./stream/read-compaction.ts";
import { createRest, streamResponse } from "./stream/stream-response.ts";
import type { Call } from "./transport/call.ts";
import { createConnections, type ConnectionOptions } from "./transport/connections.ts";
import { createSend, withRefresh } from "./transport/send.ts";

/** Which server is asked, as whom, and with what patience. */
export interface ResponsesClientOptions extends ConnectionOptions {
  readonly provider: ProviderEndpoint;
  readonly credential: CredentialProvider;
  readonly clock: Clock;
  /** From 0 up to 1; spreads the waits between tries. */
  readonly random: () => number;
  readonly userAgent: string;
  /** The program that the harness runs in. Default `unroll`. */
  readonly originator?: string | undefined;
  /**
   * In ms: deltas are reported at most this often, combined into one event; twice as long after
   * more than 4 KB at once. Useful for programs that show them to a user. The last events of a
   * response may be late by this much. Default 0: as they arrive.
   */
  readonly deltaGapMs?: number | undefined;
  /** Called with the limits of the account that an answer reports, a refusal too. Default: nobody gets them. */
  readonly onRateLimits?: ((limits: RateLimits) => void) | undefined;
}

/**
 * A provider's Responses API. Expected failures are outcomes, never exceptions, and their messages
 * hold no credential. Nothing of a call continues after its outcome, an abort, or a consumer that
 * left early.
 */
export interface ResponsesClient {
  /**
   * `POST /responses`. Yields the events of the answer but the last one, which is the outcome; deltas of one item that came
   * together are one event, and each item of a complete answer comes whole, from whatever its server sends of it. Yields
   * `stream.warning` at the end for what cannot be used. Yields `stream.retrying` before each wait: what was yielded until then is void. A wait is what the server asked for, but at most 120 s; else 200 ms,
   * doubled by each retry, at most 30 s. A request that cannot succeed is not sent again. A server that is loading its model, has a
   * full queue, or is on this machine and refuses connections after it answered (`server_not_ready`) is waited for: one event with the
   * longest wait as `delayMs`, and no retry is used up.
   */
  stream(request: RequestBody, signal: AbortSignal): AsyncGenerator<ModelStreamEvent, StreamOutcome>;
  /**
   * `POST /responses/compact`: has the server shorten the input of the request. Yields `stream.retrying` before each wait.
   * Only some servers know it; others refuse it.
   */
  compact(request: RequestBody, signal: AbortSignal): AsyncGenerator<StreamRetry, CompactionOutcome>;
  /**
   * `GET /models`, once: whether the server can be reached and takes the credential. Costs nothing. Not every server
   * knows such a list.
   */
  reach(signal: AbortSignal): Promise<ReachOutcome>;
  /** Whether the server has this API, or only that of chat completions: by two empty requests, which no server takes. Costs nothing. */
  findApi(signal: AbortSignal): Promise<ServerApi>;
  /** Ends every connection, those kept for a next request too. Call it when all calls are over. */
  close(): void;
}

const mostRetries = 100;
const defaultIdleTimeoutMs = 300_000;
const defaultStartupTimeoutMs = 300_000;
/** In ms: for a request that a server answers at once, after one that it refused. */
const longestProbeMs = 5000;

const streamed = {
  "request.threadId": "text",
  "request.turnId": "text",
  "request.chunks": "a list",
  signal: "an object",
} as const;
const required = {
  "provider.baseUrl": "text",
  "provider.headers": "an object",
  "provider.queryParams": "an object",
  "credential.authorization": "a function",
  "clock.now": "a function",
  "clock.sleep": "a function",
  "clock.setTimer": "a function",
  random: "a function",
  userAgent: "text",
} as const;

/** A client of one provider. Throws a `TypeError` for options of the wrong shape. It opens no connection before its first call; close it. */
export function createResponsesClient(options: ResponsesClientOptions): ResponsesClient {
  checkShape("createResponsesClient", options, required);
  const { provider, credential, clock, random, userAgent, originator = "unroll", deltaGapMs = 0 } = options;
  const { requestMaxRetries = 4, streamMaxRetries = 5, idleTimeoutMs = defaultIdleTimeoutMs } = provider;
  const { startupTimeoutMs = defaultStartupTimeoutMs } = provider;
  const maxRetries = {
    request: Math.min(requestMaxRetries, mostRetries),
    stream: Math.min(streamMaxRetries, mostRetries),
  };
  const redactor = createRedactor();
  const tellLoss = createLossTeller(redactor);
  const connections = createConnections(options);
  const identity = { userAgent, originator };
  const send = withRefresh(
    createSend({ provider, identity, clock, connections, redactor, onRateLimits: options.onRateLimits }),
    credential,
  );

  const toPolicy = (signal: AbortSignal): RetryPolicy => {
    return { maxRetries, startupTimeoutMs, clock, random, redactor, signal };
  };

  return {
    stream(request, signal) {
      checkShape("stream", { request, signal }, streamed);
      const { chunks: body, threadId } = request;
      const call: Call = { path: "/responses", accept: "text/event-stream", origin: request, body };
      const rest = deltaGapMs > 0 ? createRest(deltaGapMs, (ms) => clock.sleep(ms, signal)) : null;
      const options = { rest, tell: (loss: Loss) => tellLoss(loss, threadId) };
      return withRetry(() => streamResponse(() => send(call, signal), idleTimeoutMs, options), toPolicy(signal));
    },
    compact(request, signal) {
      const { chunks: body } = request;
      const call: Call = { path: "/responses/compact", accept: "application/json", origin: request, body };
      return withRetry(() => readCompaction(() => send(call, signal), idleTimeoutMs), toPolicy(signal));
    },
    async reach(signal) {
      const queryParams = provider.listParams ?? {};
      const call: Call = { path: "/models", accept: "application/json", queryParams, body: null };
      const attempt = readModels(() => send(call, signal), idleTimeoutMs);
      return toReachOutcome(await drain(settleAttempt(attempt, { redactor, signal })));
    },
    async findApi(caller) {
      const late = new AbortController();
      const stopTimer = clock.setTimer(longestProbeMs, () => late.abort());
      const signal = AbortSignal.any([caller, late.signal]);
      const probe = (call: Call): ReturnType<typeof probePath> => probePath(() => send(call, signal));
      try {
        return await findApi((call) => settleAttempt(probe(call), { redactor, signal }));
      } finally {
        stopTimer();
      }
    },
    close: () => connections.close(),
  };
}
