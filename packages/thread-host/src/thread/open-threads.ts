import { settleAll } from "@unroll/flow";
import type { ThreadClient } from "./thread-client.ts";
import type { HandleRegistry } from "./handle-parts.ts";
import type { ThreadHandle } from "./thread-handle.ts";

/** The threads of a host: the one place that knows which are open, being opened, and being closed. */
export interface OpenThreads<Client extends ThreadClient> extends HandleRegistry {
  readonly all: ReadonlyMap<string, ThreadHandle<Client>>;
  /** The thread of this id, also while it is being opened; null: there is none. Rejects if it cannot be opened. */
  find(threadId: string): ThreadHandle<Client> | Promise<ThreadHandle<Client>> | null;
  /** `threadId`: finds it while it is being opened; null: it is a new one. */
  add(threadId: string | null, open: () => Promise<ThreadHandle<Client>>): Promise<ThreadHandle<Client>>;
  close(threadId: string): Promise<void>;
  /** Resolves when it is not being closed. */
  whenClosed(threadId: string): Promise<void>;
  closeAll(): Promise<void>;
}

/** `maxIdle`: how many idle threads stay awake. Of more, those that were used longest ago sleep. */
export function createOpenThreads<Client extends ThreadClient>(maxIdle: number): OpenThreads<Client> {
  const all = new Map<string, ThreadHandle<Client>>();
  /** By a symbol: a new thread, which has no id yet. */
  const opening = new Map<string | symbol, Promise<ThreadHandle<Client>>>();
  const closing = new Map<string, Promise<void>>();
  /** In order of use, the latest last. */
  const used = new Set<ThreadHandle<Client>>();

  async function close(threadId: string): Promise<void> {
    const thread = all.get(threadId);
    if (thread === undefined) return closing.get(threadId);
    all.delete(threadId);
    used.delete(thread);
    const closed = thread[Symbol.asyncDispose]().finally(() => closing.delete(threadId));
    closing.set(threadId, closed);
    await closed;
  }

  async function addOpened(open: () => Promise<ThreadHandle<Client>>): Promise<ThreadHandle<Client>> {
    const thread = await open();
    all.set(thread.id, thread);
    used.add(thread);
    onRest();
    return thread;
  }

  function onRest(): void {
    const idle = [...used].filter(({ isIdle }) => isIdle);
    for (const thread of idle.slice(0, Math.max(0, idle.length - maxIdle))) thread.sleep().catch(() => {}); // the thread reports it to its clients
  }

  return {
    all,
    close,
    onRest,
    onUse(threadId) {
      const thread = all.get(threadId);
      if (thread !== undefined && used.delete(thread)) used.add(thread);
    },
    find: (threadId) => all.get(threadId) ?? opening.get(threadId) ?? null,
    add(threadId, open) {
      const key = threadId ?? Symbol("new thread");
      const adding = addOpened(open).finally(() => opening.delete(key));
      opening.set(key, adding);
      return adding;
    },
    async whenClosed(threadId) {
      await closing.get(threadId)?.catch(() => {}); // the caller who closed it gets its error
    },
    async closeAll() {
      await Promise.allSettled(opening.values());
      await settleAll([...all.keys(), ...closing.keys()].map(close));
    },
  };
}
