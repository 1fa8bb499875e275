import type { ServedThread } from "./served-thread.ts";

/** The open threads of a front end. */
export interface OpenThreads {
  readonly all: ReadonlyMap<string, ServedThread>;
  add(thread: ServedThread): void;
  close(threadId: string): Promise<void>;
  /** Resolves where nobody closes it at the moment: whoever goes on with one waits for that. */
  whenClosed(threadId: string): Promise<void>;
  closeAll(): Promise<void>;
}

export function createOpenThreads(): OpenThreads {
  const all = new Map<string, ServedThread>();
  const closing = new Map<string, Promise<void>>();

  async function end(thread: ServedThread): Promise<void> {
    try {
      await thread[Symbol.asyncDispose]();
    } finally {
      closing.delete(thread.id);
    }
  }

  async function close(threadId: string): Promise<void> {
    const thread = all.get(threadId);
    if (thread === undefined) return closing.get(threadId);
    all.delete(threadId);
    const closed = end(thread);
    closing.set(threadId, closed);
    await closed;
  }

  return {
    all,
    close,
    add: (thread) => void all.set(thread.id, thread),
    async whenClosed(threadId) {
      await closing.get(threadId)?.catch(() => {}); // whoever closed it hears of what went wrong
    },
    async closeAll() {
      await Promise.all([...all.keys(), ...closing.keys()].map(close));
    },
  };
}
