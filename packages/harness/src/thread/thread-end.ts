import { HarnessError } from "../harness-error.ts";

/** When a thread is closed, and whom that is told. */
export interface ThreadEnd {
  /** Aborts as the first step of closing. */
  readonly signal: AbortSignal;
  readonly isClosing: boolean;
  /** Throws `HarnessError` `closed` as soon as the thread closes. */
  checkOpen(): void;
  /** As of `Thread.onClose`. */
  onClose(listener: () => void | Promise<void>): () => void;
  /** Closes once: every later call waits for the first. Between the two steps all listeners are waited for. */
  close(steps: { readonly before: () => Promise<void>; readonly after: () => Promise<void> }): Promise<void>;
}

export function createThreadEnd(): ThreadEnd {
  const listeners = new Set<() => void | Promise<void>>();
  const closed = new AbortController();
  let closing: Promise<void> | null = null;
  const { signal } = closed;

  async function closeOnce({ before, after }: Parameters<ThreadEnd["close"]>[0]): Promise<void> {
    closed.abort();
    await using stack = new AsyncDisposableStack(); // each step runs, whatever the ones before it threw
    stack.defer(after);
    stack.defer(async () => void (await Promise.all([...listeners].map(async (listener) => listener()))));
    await before();
  }

  return {
    signal,
    get isClosing() {
      return signal.aborted;
    },
    checkOpen() {
      if (signal.aborted)
        throw new HarnessError("closed", "The thread is closed: open another one, or go on with it anew.");
    },
    onClose(listener) {
      if (signal.aborted) void listener();
      else listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: (steps) => (closing ??= closeOnce(steps)),
  };
}
