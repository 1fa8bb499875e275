import type { Clock } from "@unroll/flow";

interface Timer {
  readonly delayMs: number;
  readonly run: () => void;
}

/** Waits between tries are over at once and written down; a time-out comes when the test says so. */
export class ManualClock implements Clock {
  readonly slept: number[] = [];
  readonly #timers = new Set<Timer>();
  #onArmed = (): void => {};
  #passedMs = 0;

  /** Timers that were neither cancelled nor let run. */
  get armed(): number {
    return this.#timers.size;
  }

  now(): number {
    return Date.UTC(2026, 10, 20, 12);
  }

  elapsed(): number {
    return this.slept.reduce((sum, delayMs) => sum + delayMs, 0) + this.#passedMs;
  }

  /** Lets time pass that nobody sleeps. */
  pass(ms: number): void {
    this.#passedMs += ms;
  }

  /** Resolves when a timer of `delayMs` is armed. */
  async waitFor(delayMs: number): Promise<void> {
    while (![...this.#timers].some((each) => each.delayMs === delayMs)) {
      await new Promise<void>((resolve) => (this.#onArmed = resolve));
    }
  }

  async sleep(delayMs: number): Promise<void> {
    this.slept.push(delayMs);
  }

  setTimer(delayMs: number, run: () => void): () => void {
    const timer = { delayMs, run };
    this.#timers.add(timer);
    this.#onArmed();
    return () => this.#timers.delete(timer);
  }

  /** Lets the time-out of `delayMs` come, as soon as there is one. */
  async expire(delayMs: number): Promise<void> {
    for (;;) {
      const timer = [...this.#timers].find((each) => each.delayMs === delayMs);
      if (timer) {
        this.#timers.delete(timer);
        return timer.run();
      }
      await new Promise<void>((resolve) => (this.#onArmed = resolve));
    }
  }
}
