import { HarnessError } from "../harness-error.ts";
import type { Thread } from "../thread/thread.ts";

/** The threads of a harness, also those that are just being opened. */
export interface Members {
  /**
   * Throws `HarnessError` `closed` if the harness is closed, or closes while the thread is opened: `closing` aborts then, and the
   * thread is closed.
   */
  add(open: (closing: AbortSignal) => Promise<Thread>): Promise<Thread>;
  /** Closes all of them, side by side. */
  close(): Promise<void>;
}

export function createMembers(): Members {
  const threads = new Set<Thread>();
  const opening = new Set<Promise<unknown>>();
  const closing = new AbortController();
  const { signal } = closing;

  async function open(start: (closing: AbortSignal) => Promise<Thread>): Promise<Thread> {
    try {
      const thread = await start(signal);
      if (signal.aborted) await thread[Symbol.asyncDispose]();
      threads.add(thread);
      thread.onClose(() => void threads.delete(thread));
      return thread;
    } finally {
      signal.throwIfAborted(); // whatever the opening made of it
    }
  }

  return {
    async add(start) {
      signal.throwIfAborted();
      const thread = open(start);
      opening.add(thread);
      try {
        return await thread;
      } finally {
        opening.delete(thread);
      }
    },
    async close() {
      closing.abort(new HarnessError("closed", "The harness is closed: open another one."));
      await Promise.all([...threads].map((thread) => thread[Symbol.asyncDispose]()));
      await Promise.allSettled(opening);
    },
  };
}
