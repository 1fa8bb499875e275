import { HarnessError } from "../harness-error.ts";
import type { Thread } from "../thread/thread.ts";

/** The threads of a harness, also those that are just being opened. */
export interface Members {
  /** Throws `HarnessError` `closed` where the harness is closed, or closes while the thread is opened, which is closed then. */
  add(open: () => Promise<Thread>): Promise<Thread>;
  /** Closes all of them, side by side. */
  close(): Promise<void>;
}

export function createMembers(): Members {
  const threads = new Set<Thread>();
  const opening = new Set<Promise<unknown>>();
  let isClosed = false;

  async function open(start: () => Promise<Thread>): Promise<Thread> {
    const thread = await start();
    if (isClosed) {
      await thread[Symbol.asyncDispose]();
      throw closed();
    }
    threads.add(thread);
    thread.onClose(() => void threads.delete(thread));
    return thread;
  }

  return {
    async add(start) {
      if (isClosed) throw closed();
      const thread = open(start);
      opening.add(thread);
      try {
        return await thread;
      } finally {
        opening.delete(thread);
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...threads].map((thread) => thread[Symbol.asyncDispose]()));
      await Promise.allSettled(opening);
    },
  };
}

function closed(): HarnessError {
  return new HarnessError("closed", "The harness is closed: open another one.");
}
