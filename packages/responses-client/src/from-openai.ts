import { setTimeout as sleep } from "node:timers/promises";
import { checkShape } from "@unroll/text";
import type { Clock } from "@unroll/flow";
import type {
  CompactionOutcome,
  RequestBody,
  ModelStreamEvent,
  StreamOutcome,
  StreamRetry,
  ThreadHeaders,
} from "@unroll/protocol";
import { createHttpFailure } from "./failure/http-failure.ts";
import {
  toRestartFailure,
  createCutFailure,
  createTimeoutFailure,
  toNetworkFailure,
} from "./failure/network-failure.ts";
import { createRedactor } from "./failure/redactor.ts";
import type { RequestFailure } from "./failure/request-failure.ts";
import { type RetryPolicy, withRetry } from "./retry/with-retry.ts";
import { createLossTeller, type Loss } from "./stream/create-loss-teller.ts";
import { readCompaction } from "./stream/read-compaction.ts";
import { streamResponse } from "./stream/stream-response.ts";
import { acceptAnswer } from "./transport/accept-answer.ts";
import { type Call, createThreadAffinity } from "./transport/call.ts";
import type { Answer } from "./transport/exchange.ts";

/**
 * The parts of an `OpenAI` or `AzureOpenAI` client (package `openai`, 4 or later) that are used:
 * any object with these works.
 */
export interface OpenAIClient {
  readonly baseURL: string;
  readonly maxRetries: number;
  post(path: string, options: OpenAIRequest): { asResponse(): Promise<Response> };
}

/** A request of such a client. */
interface OpenAIRequest {
  readonly body: Uint8Array;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
  readonly maxRetries: number;
}

/** How patient the client is, by which time, and what it tells the server of the thread. */
interface FromOpenAIOptions {
  /** In ms: how long the server may be silent within an answer. Absent: 300,000. */
  readonly idleTimeoutMs?: number;
  /** The headers that tell the server which requests belong to one thread. Absent: `hyphen`. */
  readonly threadHeaders?: ThreadHeaders;
  /** Time. Absent: that of this process. */
  readonly clock?: Pick<Clock, "now" | "elapsed" | "sleep" | "setTimer">;
  /** In ms: how long a server that is not ready is waited for. Absent: 300,000; 0: not at all. */
  readonly startupTimeoutMs?: number;
}

/** The model of a thread by a client of `openai`. */
export interface OpenAIModel {
  stream(request: RequestBody, signal: AbortSignal): AsyncGenerator<ModelStreamEvent, StreamOutcome>;
  compact(request: RequestBody, signal: AbortSignal): AsyncGenerator<StreamRetry, CompactionOutcome>;
}

const defaultIdleTimeoutMs = 300_000;
const defaultStartupTimeoutMs = 300_000;

/**
 * Makes the model of a thread (`openThread({ model })`) from a client that your program already
 * has, with its address, credential, proxies and `fetch`. Bodies are sent byte for byte as encoded.
 * The client's own retries are off; ours, as many as its `maxRetries`, are reported as
 * `stream.retrying`. Otherwise it is like `ResponsesClient`.
 */
export function fromOpenAI(client: OpenAIClient, options: FromOpenAIOptions = {}): OpenAIModel {
  checkShape(
    "fromOpenAI",
    { client, options },
    { "client.post": "a function", "client.baseURL": "text", "client.maxRetries": "a number", options: "an object" },
  );
  const { idleTimeoutMs = defaultIdleTimeoutMs, startupTimeoutMs = defaultStartupTimeoutMs } = options;
  const { clock = processClock, threadHeaders = "hyphen" } = options;
  const affinity = createThreadAffinity(threadHeaders);
  const { maxRetries } = client;
  const redactor = createRedactor();
  const tellLoss = createLossTeller(redactor);
  let hasAnswered = false;

  async function send(path: string, request: RequestBody, call: SendOptions): Promise<Answer> {
    const { accept, signal } = call;
    const { host } = new URL(client.baseURL);
    const headers = { accept, "content-type": "application/json", ...affinity.toHeaders(request) };
    const body = Buffer.concat(request.chunks);
    const sent = client.post(path, { body, headers, signal, maxRetries: 0 }).asResponse();
    const response = await sent.catch((error: unknown) => {
      const failure = toOpenAIFailure(error, host, clock.now());
      throw hasAnswered ? toRestartFailure(failure, host) : failure;
    });
    hasAnswered = true;
    const answer = await acceptAnswer(toFetchAnswer(response, host, clock), { accept, remedy: null }, clock);
    affinity.learn(request, answer.headers);
    return answer;
  }

  const toPolicy = (signal: AbortSignal): RetryPolicy => {
    const limits = { request: maxRetries, stream: maxRetries };
    return { maxRetries: limits, startupTimeoutMs, clock, random: () => 0.5, redactor, signal };
  };

  return {
    stream(request, signal) {
      const call: SendOptions = { accept: "text/event-stream", signal };
      const options = { tell: (loss: Loss) => tellLoss(loss, request.threadId) };
      const attempt = (): Promise<Answer> => send("/responses", request, call);
      return withRetry(() => streamResponse(attempt, idleTimeoutMs, options), toPolicy(signal));
    },
    compact(request, signal) {
      const call: SendOptions = { accept: "application/json", signal };
      const attempt = (): Promise<Answer> => send("/responses/compact", request, call);
      return withRetry(() => readCompaction(attempt, idleTimeoutMs), toPolicy(signal));
    },
  };
}

interface SendOptions extends Pick<Call, "accept"> {
  readonly signal: AbortSignal;
}

/** The client reads the same. */
const processClock: Pick<Clock, "now" | "elapsed" | "sleep" | "setTimer"> = {
  now: () => new Date().getTime(),
  elapsed: () => new Date().getTime(), // only a wait of minutes is measured by it
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
  setTimer(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** A `Response` of `fetch` as an answer of ours. Its request's signal ends it. */
function toFetchAnswer(response: Response, host: string, clock: Pick<Clock, "elapsed" | "setTimer">): Answer {
  const reader = response.body?.getReader() ?? null;
  const cancel = (): void => void reader?.cancel().catch(() => {}); // it may have broken before
  let waitedMs = 0;
  return {
    host,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    async read(patienceMs) {
      const silence = Promise.withResolvers<never>();
      const since = clock.elapsed();
      const disarm = clock.setTimer(Math.max(0, patienceMs - waitedMs), () =>
        silence.reject(createTimeoutFailure("idle_timeout", patienceMs, { host, proxy: null })),
      );
      try {
        const reading = reader?.read().catch((error: unknown) => {
          throw createCutFailure(host, error);
        });
        const next = await Promise.race([reading, silence.promise]);
        const bytes: unknown = next?.value;
        return bytes instanceof Uint8Array ? bytes : null;
      } finally {
        disarm();
        waitedMs += clock.elapsed() - since;
      }
    },
    renew: () => void (waitedMs = 0),
    release: cancel,
    destroy: cancel,
  };
}

/**
 * Why a client of `openai` gave no answer, from what it threw: an `APIError` with a status, or one around what `fetch` threw.
 * Told by their shape: the package is not ours to import.
 */
function toOpenAIFailure(thrown: unknown, host: string, nowMs: number): RequestFailure {
  const status = read(thrown, "status");
  if (typeof status !== "number") return toNetworkFailure(findCause(thrown), { host, proxy: null });
  const headers = read(thrown, "headers");
  const body = JSON.stringify({ error: read(thrown, "error") ?? { message: read(thrown, "message") } });
  const known = headers instanceof Headers ? Object.fromEntries(headers) : {};
  return createHttpFailure({ host, status, headers: known, body }, { nowMs, remedy: null });
}

/** `fetch` puts the error of the socket into the cause of its own. */
function findCause(thrown: unknown): unknown {
  const cause = read(thrown, "cause");
  return cause === undefined ? thrown : findCause(cause);
}

function read(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
