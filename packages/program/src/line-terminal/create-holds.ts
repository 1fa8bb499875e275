/** Who may use the terminal. */
export interface Holds {
  /** Takes it for a dialog until it is disposed; waits for the one before. Rejects when `signal` aborts. */
  hold(signal: AbortSignal): Promise<Disposable>;
  /** What is written while a dialog is held would scroll it away. */
  readonly isHeld: boolean;
  /** Resolves while no dialog is held. */
  whenFree(): Promise<void>;
}

/** One holder at a time, in the order in which they came. `onFree`: called when the last one is done. */
export function createHolds(onFree: () => void): Holds {
  let last: Promise<unknown> | null = null;

  function release(mine: Promise<unknown>): void {
    if (last !== mine) return;
    last = null;
    onFree();
  }

  return {
    async hold(signal) {
      const before = last;
      const done = Promise.withResolvers<void>();
      const mine = Promise.all([before, done.promise]);
      last = mine;
      void mine.then(() => release(mine));
      try {
        await Promise.race([before, rejectOnAbort(signal, done.promise)]);
      } catch (error) {
        done.resolve();
        throw error;
      }
      return { [Symbol.dispose]: done.resolve };
    },
    get isHeld() {
      return last !== null;
    },
    async whenFree() {
      while (last !== null) await last;
    },
  };
}

/** Resolves with `until`; rejects with the signal's reason where that comes first. */
async function rejectOnAbort(signal: AbortSignal, until: Promise<void>): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const reject = (): void => aborted.reject(signal.reason);
  if (signal.aborted) reject();
  signal.addEventListener("abort", reject);
  try {
    await Promise.race([aborted.promise, until]);
  } finally {
    signal.removeEventListener("abort", reject);
  }
}
