/** How much of an account's limits is used, as its provider reports it with an answer. At least one window is known. */
export interface RateLimits {
  readonly primary: RateLimitWindow | null;
  readonly secondary: RateLimitWindow | null;
}

/** One limit: a share of what may be used in a time. */
export interface RateLimitWindow {
  /** 100: all of it. */
  readonly usedPercent: number;
  /** Null: the provider does not say. */
  readonly windowMinutes: number | null;
  /** When it starts again, in seconds since 1970. Null: the provider does not say. */
  readonly resetsAt: number | null;
}
