import type { Clock } from "@unroll/flow";
import type { Chance } from "./create-chance.ts";
import type { LawBook } from "./law/law-book.ts";
import type { VirtualTime } from "./time/virtual-time.ts";

/** Thrown to callers that waited for a process that was killed. */
export class KilledError extends Error {}

/** One process's view of the world until it is killed; after that, nothing that it waits for arrives. */
export interface SimulatedProcess {
  readonly isAlive: boolean;
  readonly clock: Clock;
  /** Timers of its own that wait. */
  readonly timers: number;
  /**
   * Every use of a port is a step, and the process may be killed before each. Resolves when the process continues;
   * never if it was killed.
   */
  step(what: string): Promise<void>;
  /** Waits for what the process does. Rejects with `KilledError` when it is killed. */
  outlive<Value>(work: PromiseLike<Value>): Promise<Value>;
  /** Ms of virtual time; resolves never where it is killed meanwhile. */
  wait(ms: number): Promise<void>;
}

export interface ProcessOptions {
  readonly time: VirtualTime;
  readonly book: LawBook;
  /** The wall clock, which jumps. */
  readonly now: () => number;
  /** Before which of its steps it is killed; null: never. */
  readonly killAt: number | null;
}

export function startProcess({ time, book, now, killAt }: ProcessOptions): SimulatedProcess {
  let steps = 0;
  const state = { isAlive: true };
  const killed = Promise.withResolvers<never>();
  killed.promise.catch(() => {});

  async function step(what: string): Promise<void> {
    if (!state.isAlive) return forever();
    steps += 1;
    if (steps === killAt) {
      state.isAlive = false;
      book.note(`killed before: ${what}`);
      killed.reject(new KilledError());
      return forever();
    }
    book.note(what);
  }

  const timers = new Set<object>();

  function setTimer(ms: number, run: () => void): () => void {
    const timer = {};
    timers.add(timer);
    const cancel = time.set(ms, () => {
      if (timers.delete(timer) && state.isAlive) run();
    });
    return () => {
      timers.delete(timer);
      cancel();
    };
  }

  return {
    get isAlive() {
      return state.isAlive;
    },
    clock: {
      now,
      elapsed: () => time.elapsed,
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          if (signal.aborted) return resolve();
          const end = (): void => {
            cancel();
            signal.removeEventListener("abort", end);
            resolve();
          };
          const cancel = setTimer(ms, end);
          signal.addEventListener("abort", end);
        }),
      setTimer,
    },
    get timers() {
      return timers.size;
    },
    step,
    outlive: (work) => Promise.race([work, killed.promise]),
    wait: (ms) => new Promise((resolve) => void time.set(ms, () => (state.isAlive ? resolve() : undefined))),
  };
}

function forever(): Promise<never> {
  return new Promise(() => {});
}

/** A UUID of version 7. */
export function createId(now: number, chance: Chance): string {
  const hex = (digits: number): string => Array.from({ length: digits }, () => chance.below(16).toString(16)).join("");
  const ms = Math.max(0, Math.floor(now)).toString(16).padStart(12, "0");
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${hex(3)}-8${hex(3)}-${hex(12)}`;
}
