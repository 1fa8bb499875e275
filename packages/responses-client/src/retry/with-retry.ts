import { type Clock, flatMap } from "@unroll/flow";
import { type CountedResponse, isOverload, type ModelError, type StreamRetry } from "@unroll/protocol";
import type { Redactor } from "../failure/redactor.ts";
import { settleAttempt } from "./settle-attempt.ts";

export interface RetryPolicy {
  /** How many retries each kind of failure is given; each counts on its own. */
  readonly maxRetries: Readonly<Record<"request" | "stream", number>>;
  /** In ms: how long a server that is not ready is waited for; 0: it is a failure like any other. */
  readonly startupTimeoutMs: number;
  readonly clock: Pick<Clock, "sleep" | "elapsed">;
  readonly redactor: Redactor;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

export type RetriedOutcome<Completed> =
  | Completed
  | { readonly type: "failed"; readonly error: ModelError; readonly counted?: CountedResponse }
  | { readonly type: "aborted" };

const firstDelayMs = 200;
/** In ms: for a busy server, because a limit per minute does not end within the 3 s of four short waits. */
const firstBusyDelayMs = 2000;
const longestBackoffMs = 30_000;
/** Also where a server asks for more. */
const longestDelayMs = 120_000;

/** Between two looks at a server that is not ready: doubled each time, up to the longest. */
const [firstLookMs, longestLookMs] = [500, 5000];

/**
 * Retries what can be retried, and reports it before each wait. A server that is not ready is
 * waited for instead: that is reported once, and costs no retry.
 */
export function withRetry<Event, Completed extends { readonly type: "completed" }>(
  attempt: () => AsyncGenerator<readonly Event[], Completed>,
  policy: RetryPolicy,
): AsyncGenerator<Event | StreamRetry, RetriedOutcome<Completed>> {
  return flatMap(retry(attempt, policy), (batch) => batch); // up to here an event costs no more than its place in an array
}

async function* retry<Event, Completed extends { readonly type: "completed" }>(
  attempt: () => AsyncGenerator<readonly Event[], Completed>,
  policy: RetryPolicy,
): AsyncGenerator<readonly (Event | StreamRetry)[], RetriedOutcome<Completed>> {
  const { maxRetries, clock, random, signal } = policy;
  const retries = { request: 0, stream: 0 };
  let waiting: Wait | null = null;
  for (;;) {
    const outcome = yield* settleAttempt(attempt(), policy);
    if (outcome.type !== "failed") return outcome;
    const { phase, error, counted } = outcome;
    if (error.code === "server_not_ready" && policy.startupTimeoutMs > 0) {
      const isNew: boolean = waiting === null;
      waiting ??= { since: clock.elapsed(), looks: 0 };
      const leftMs: number = waiting.since + policy.startupTimeoutMs - clock.elapsed();
      if (leftMs <= 0) return { type: "failed", error: tellWaited(error, policy.startupTimeoutMs) };
      // one event for the whole wait
      const wait = { attempt: 1, maxAttempts: 1, delayMs: policy.startupTimeoutMs, cause: error };
      if (isNew) yield [{ type: "stream.retrying", ...wait }];
      await clock.sleep(Math.min(leftMs, toLookDelay(error, waiting.looks++)), signal);
      continue;
    }
    waiting = null;
    const maxAttempts = maxRetries[phase];
    if (!error.retryable || retries[phase] >= maxAttempts)
      return { type: "failed", error, ...(counted && { counted }) };
    const delayMs = toDelay(error, retries[phase], random);
    retries[phase] += 1;
    yield [{ type: "stream.retrying", attempt: retries[phase], maxAttempts, delayMs, cause: tellBound(error) }];
    await clock.sleep(delayMs, signal); // on abort the next try ends before it begins
  }
}

/** A server that is waited for. */
interface Wait {
  /** As of `Clock.elapsed`. */
  readonly since: number;
  looks: number;
}

function toLookDelay({ retryAfterMs }: ModelError, looks: number): number {
  if (retryAfterMs) return Math.min(retryAfterMs, longestDelayMs);
  return Math.min(firstLookMs * 2 ** looks, longestLookMs);
}

function tellWaited(error: ModelError, longestMs: number): ModelError {
  const message = `${error.message} unroll waited ${longestMs / 1000} s for it (startup_timeout_ms).`;
  return { ...error, message };
}

/**
 * The delay that the server asked for, otherwise 200 ms (2 s if it is busy), doubled by each
 * earlier retry, plus or minus a tenth.
 */
function toDelay(error: ModelError, retriesBefore: number, random: () => number): number {
  if (error.retryAfterMs) return Math.min(error.retryAfterMs, longestDelayMs);
  const backoffMs = Math.min(
    (isOverload(error) ? firstBusyDelayMs : firstDelayMs) * 2 ** retriesBefore,
    longestBackoffMs,
  );
  return Math.round(backoffMs * (0.9 + 0.2 * random()));
}

/** Says so where the wait will be shorter than what the server asked for. */
function tellBound(error: ModelError): ModelError {
  if (error.retryAfterMs === undefined || error.retryAfterMs <= longestDelayMs) return error;
  const asked = `It asks to wait ${Math.round(error.retryAfterMs / 1000)} s; ${longestDelayMs / 1000} s is the longest wait.`;
  return { ...error, message: `${error.message} ${asked}` };
}
