/** Time, as packages see it; the program that wires them brings one. All durations are in ms. */
export interface Clock {
  /** Milliseconds since 1970: what a person calls the time. It may be set back or on meanwhile. */
  now(): number;
  /** Milliseconds from any fixed point; never runs backwards. For how long something took. */
  elapsed(): number;
  /** Resolves after `ms`, or at once when `signal` aborts. Never rejects; leaves no timer behind. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Runs `run` once after `ms`, unless the function that it gives back is called before. For time-outs. */
  setTimer(ms: number, run: () => void): () => void;
}

/** The longest wait that timers hold, in ms: 24.8 days. A longer one ends at once (https://nodejs.org/api/timers.html). */
export const longestTimerMs: number = 2 ** 31 - 1;
