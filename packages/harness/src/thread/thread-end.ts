import { contain } from "@unroll/flow";
import { noTokenUsage, type ThreadEvent, type TurnOutcome } from "@unroll/protocol";
import { HarnessError } from "../harness-error.ts";

/** The end of a thread, and its listeners. */
export interface ThreadEnd {
  /** Aborts as the first step of closing. */
  readonly signal: AbortSignal;
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
    checkOpen() {
      if (signal.aborted) throw new HarnessError("closed", "The thread is closed: open another one, or resume it.");
    },
    onClose(listener) {
      if (signal.aborted) contain(listener, () => {})(); // the thread is over: nobody could get its fault
      else listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: (steps) => (closing ??= closeOnce(steps)),
  };
}

/** The one turn that a thread runs at a time. */
export interface TurnSlot {
  /** Runs a turn. Throws `HarnessError` where the thread is closed (`closed`) or another turn runs (`thread_busy`). */
  run(begin: () => AsyncGenerator<ThreadEvent, TurnOutcome>): AsyncGenerator<ThreadEvent, TurnOutcome>;
  /** Does something, not a turn, that no turn may run beside. Throws the errors of `run`. */
  hold<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Ends the running turn or other work, and waits for it. */
  stop(): Promise<void>;
}

const interrupted: TurnOutcome = { type: "interrupted", usage: noTokenUsage };

export function createTurnSlot(end: Pick<ThreadEnd, "checkOpen" | "signal">): TurnSlot {
  let running: AsyncGenerator<ThreadEvent, TurnOutcome> | null = null;
  let held: Promise<unknown> | null = null;

  function checkFree(): void {
    end.checkOpen();
    if (running !== null || held !== null)
      throw new HarnessError(
        "thread_busy",
        "A turn is running in this thread: wait until it ends, or queue a message with send.",
      );
  }

  return {
    async hold(work) {
      checkFree();
      const holding = work();
      held = holding;
      try {
        return await holding;
      } finally {
        held = null;
      }
    },
    async *run(begin) {
      checkFree();
      try {
        const outcome = yield* (running = begin());
        return end.signal.aborted ? interrupted : outcome;
      } finally {
        running = null;
      }
    },
    async stop() {
      await held?.catch(() => {}); // the caller who began it reports it
      await running?.return(interrupted);
    },
  };
}
