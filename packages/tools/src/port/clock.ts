/** Time as the runtime sees it. Implemented by `harness`. */
export interface Clock {
  /** In ms from any fixed point; never runs backwards. */
  now(): number;
  /** Resolves after `ms`, or as soon as `signal` aborts. Never rejects; leaves no timer behind. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
