import type { HandleKeeper, ThreadHandle } from "./thread-handle.ts";

/** The threads of a host: the one place that knows which are open, being opened, and being closed. */
export interface OpenThreads<Follower> extends HandleKeeper<Follower> {
  readonly all: ReadonlyMap<string, ThreadHandle<Follower>>;
  /** The thread of this id, also one that is being opened; null: there is none. Rejects where it cannot be opened. */
  find(threadId: string): ThreadHandle<Follower> | Promise<ThreadHandle<Follower>> | null;
  /** `threadId`: by which others find it while it is opened; null: it is a new one. */
  add(threadId: string | null, open: () => Promise<ThreadHandle<Follower>>): Promise<ThreadHandle<Follower>>;
  close(threadId: string): Promise<void>;
  /** Resolves where nobody closes it at the moment: whoever goes on with one waits for that. */
  whenClosed(threadId: string): Promise<void>;
  closeAll(): Promise<void>;
}

/** `maxIdle`: so many threads in which nothing happens stay awake. Of more, those that were used longest ago sleep until they are used. */
export function createOpenThreads<Follower>(maxIdle: number): OpenThreads<Follower> {
  const all = new Map<string, ThreadHandle<Follower>>();
  const opening = new Map<string, Promise<ThreadHandle<Follower>>>();
  const closing = new Map<string, Promise<void>>();
  /** The one used last at the end. */
  const used = new Set<ThreadHandle<Follower>>();

  async function end(thread: ThreadHandle<Follower>): Promise<void> {
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
    used.delete(thread);
    const closed = end(thread);
    closing.set(threadId, closed);
    await closed;
  }

  async function add(open: () => Promise<ThreadHandle<Follower>>): Promise<ThreadHandle<Follower>> {
    const thread = await open();
    all.set(thread.id, thread);
    used.add(thread);
    onRest();
    return thread;
  }

  function onRest(): void {
    const idle = [...used].filter(({ isIdle }) => isIdle);
    for (const thread of idle.slice(0, Math.max(0, idle.length - maxIdle))) void thread.sleep();
  }

  return {
    all,
    close,
    onRest,
    onUse(thread) {
      if (used.delete(thread)) used.add(thread);
    },
    find: (threadId) => all.get(threadId) ?? opening.get(threadId) ?? null,
    add(threadId, open) {
      const adding = add(open).finally(() => threadId !== null && opening.delete(threadId));
      if (threadId !== null) opening.set(threadId, adding);
      return adding;
    },
    async whenClosed(threadId) {
      await closing.get(threadId)?.catch(() => {}); // whoever closed it hears of what went wrong
    },
    async closeAll() {
      await Promise.allSettled(opening.values());
      await Promise.all([...all.keys(), ...closing.keys()].map(close));
    },
  };
}
