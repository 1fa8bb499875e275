import type { Clock } from "@unroll/flow";
import type { CountedResponse, ModelError, StreamRetry } from "@unroll/protocol";
import type { AttemptOutcome } from "./settle-attempt.ts";

export interface RetryPolicy {
  /** How many retries each kind of failure is given; each counts on its own. */
  readonly maxRetries: Readonly<Record<"request" | "stream", number>>;
  readonly clock: Pick<Clock, "sleep">;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

export type RetriedOutcome<Completed> =
  | Completed
  | { readonly type: "failed"; readonly error: ModelError; readonly counted?: CountedResponse }
  | { readonly type: "aborted" };

const firstDelayMs = 200;
/** Of a server that has too much to do: a limit by the minute is not over in the 3 s of four short waits. */
const firstBusyDelayMs = 2000;
const longestBackoffMs = 30_000;
/** Also where a server asks for more. */
const longestDelayMs = 120_000;

const busyCodes: ReadonlySet<string> = new Set(["rate_limit_exceeded", "slow_down", "server_is_overloaded"]);

/** Tries again what can be, and says so before each wait. */
export async function* withRetry<Event, Completed extends { readonly type: "completed" }>(
  attempt: () => AsyncGenerator<readonly Event[], AttemptOutcome<Completed>>,
  { maxRetries, clock, random, signal }: RetryPolicy,
): AsyncGenerator<readonly (Event | StreamRetry)[], RetriedOutcome<Completed>> {
  const retries = { request: 0, stream: 0 };
  for (;;) {
    const outcome = yield* attempt();
    if (outcome.type !== "failed") return outcome;
    const { phase, error, counted } = outcome;
    const maxAttempts = maxRetries[phase];
    if (!error.retryable || retries[phase] >= maxAttempts)
      return { type: "failed", error, ...(counted && { counted }) };
    const delayMs = toDelay(error, retries[phase], random);
    retries[phase] += 1;
    yield [{ type: "stream.retrying", attempt: retries[phase], maxAttempts, delayMs, cause: tellBound(error) }];
    await clock.sleep(delayMs, signal); // on abort the next try ends before it begins
  }
}

/** What the server asked for, else 200 ms (2 s where it is busy) doubled by each retry before, give or take a tenth. */
function toDelay(error: ModelError, retriesBefore: number, random: () => number): number {
  if (error.retryAfterMs) return Math.min(error.retryAfterMs, longestDelayMs);
  const isBusy = error.status === 429 || busyCodes.has(error.code);
  const backoffMs = Math.min((isBusy ? firstBusyDelayMs : firstDelayMs) * 2 ** retriesBefore, longestBackoffMs);
  return Math.round(backoffMs * (0.9 + 0.2 * random()));
}

/** Says so where the wait will be shorter than what the server asked for. */
function tellBound(error: ModelError): ModelError {
  if (error.retryAfterMs === undefined || error.retryAfterMs <= longestDelayMs) return error;
  const asked = `It asks to wait ${Math.round(error.retryAfterMs / 1000)} s; ${longestDelayMs / 1000} s is the longest wait.`;
  return { ...error, message: `${error.message} ${asked}` };
}
