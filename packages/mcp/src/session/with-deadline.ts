import { ServerFault } from "./server-fault.ts";

export interface Deadline {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Whether the time does not count just now. Absent: it always counts. */
  readonly isPaused?: () => boolean;
  /** What to say of the server's silence, and what to do. */
  readonly describeTimeout: () => string;
}

/** The longest wait that timers can hold, in ms. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/**
 * Runs something that ends when its signal aborts. Throws `ServerFault` `cancelled` after an abort and `timed_out` when
 * the time is over; time that ran out in a pause is given again. After it has settled its signal never aborts.
 */
export async function withDeadline<Result>(
  deadline: Deadline,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { signal, isPaused = () => false } = deadline;
  const timeoutMs = Math.min(deadline.timeoutMs, LONGEST_TIMER_MS);
  const inner = new AbortController();
  const cancelled = new ServerFault("cancelled", "the request was cancelled");
  if (signal.aborted) throw cancelled;
  const cancel = (): void => inner.abort(cancelled);
  const expire = (): void => {
    if (isPaused()) timer = setTimeout(expire, timeoutMs);
    else inner.abort(new ServerFault("timed_out", deadline.describeTimeout()));
  };
  let timer = setTimeout(expire, timeoutMs);
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await run(inner.signal);
  } catch (error) {
    throw inner.signal.aborted ? inner.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
  }
}
