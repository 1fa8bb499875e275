import { type Clock, longestTimerMs } from "@unroll/flow";
import { ServerFault } from "../fault/server-fault.ts";

export interface Deadline extends Pick<Clock, "sleep"> {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Whether the clock is paused. Absent: it never is. */
  readonly isPaused?: () => boolean;
  /** The message when the server is silent, with what to do. */
  readonly describeTimeout: () => string;
}

/**
 * Runs work that ends when its signal aborts. Throws `ServerFault` `cancelled` after an abort, and
 * `timed_out` when the time is over; a pause extends the time. The signal never aborts after the
 * work has settled.
 */
export async function withDeadline<Result>(
  deadline: Deadline,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { signal } = deadline;
  const inner = new AbortController();
  const settled = new AbortController();
  const cancelled = new ServerFault("cancelled", "the request was cancelled");
  if (signal.aborted) throw cancelled;
  const cancel = (): void => inner.abort(cancelled);
  signal.addEventListener("abort", cancel, { once: true });
  expire(deadline, settled.signal, inner).catch((error: unknown) => inner.abort(error));
  try {
    return await run(inner.signal);
  } catch (error) {
    throw inner.signal.aborted ? inner.signal.reason : error;
  } finally {
    settled.abort();
    signal.removeEventListener("abort", cancel);
  }
}

async function expire(deadline: Deadline, settled: AbortSignal, run: AbortController): Promise<void> {
  const { sleep, isPaused = () => false, describeTimeout } = deadline;
  const timeoutMs = Math.min(deadline.timeoutMs, longestTimerMs);
  do await sleep(timeoutMs, settled);
  while (isPaused() && !settled.aborted);
  if (!settled.aborted) run.abort(new ServerFault("timed_out", describeTimeout()));
}
