/** Time, as the client needs it. All durations are in ms. */
export interface Clock {
  /** Milliseconds since the epoch; read against `retry-after` dates. */
  now(): number;
  /** Waits between two tries. Settles after `delayMs`, or at once on abort; then it may also reject. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
  /** Runs `run` once after `delayMs`, unless the function that it gives back is called before. For time-outs. */
  setTimer(delayMs: number, run: () => void): () => void;
}
