import type { ResolvedConfig } from "@unroll/config";
import type { Harness, HarnessOptions, Thread, ThreadChange, ThreadOptions } from "@unroll/harness";
import type { Journal, JournalEntry, ThreadStore } from "@unroll/protocol";
import type { Conversation, ThreadOrigin } from "./conversation.ts";

export interface ConversationOptions {
  readonly harness: Omit<HarnessOptions, "store">;
  /** Of every thread. */
  readonly thread: Omit<ThreadOptions, "config" | "journal" | "entries" | "ephemeral" | "parent">;
  /** Null: threads are not kept. */
  readonly store: ThreadStore | null;
  readonly origin: ThreadOrigin;
}

/** Opens a harness and the first thread. What runs threads is loaded only now. Throws what these throw. */
export async function openConversation(options: ConversationOptions): Promise<Conversation> {
  const { openHarness } = await import("@unroll/harness");
  await using opening = new AsyncDisposableStack();
  const { store, origin } = options;
  const harness = opening.use(await openHarness({ ...options.harness, ...(store !== null && { store }) }));
  const parts = { harness, options };
  const first = await openThread(parts, origin, options.harness.config);
  return createConversation(parts, first, opening.move());
}

interface ConversationParts {
  readonly harness: Harness;
  readonly options: ConversationOptions;
}

/** A thread that is gone on with. */
interface Opened {
  readonly thread: Thread;
  readonly config: ResolvedConfig;
  /** Of a thread that is not kept. */
  readonly entries: readonly JournalEntry[];
}

async function openThread(
  { harness, options }: ConversationParts,
  origin: ThreadOrigin,
  config: ResolvedConfig,
): Promise<Opened> {
  const own = { ...options.thread, config };
  switch (origin.type) {
    case "new": {
      if (options.store !== null) return { thread: await harness.openThread(own), config, entries: [] };
      const entries: JournalEntry[] = [];
      return { thread: await harness.openThread({ ...own, journal: toJournal(entries) }), config, entries };
    }
    case "resume":
      return { thread: await harness.resumeThread(origin.id, own), config, entries: [] };
    case "fork": {
      const at = origin.turns === null ? {} : { at: origin.turns };
      return { thread: await harness.forkThread(origin.id, { ...own, ...at }), config, entries: [] };
    }
  }
}

/** For as long as the program runs. */
function toJournal(entries: JournalEntry[]): Journal {
  return { record: (entry) => void entries.push(entry), settled: async () => {} };
}

function createConversation(parts: ConversationParts, first: Opened, opened: AsyncDisposableStack): Conversation {
  const { store } = parts.options;
  let current = first;
  const kept = new Map<Thread, Set<number>>();
  const listeners: ((thread: Thread) => void)[] = [];

  const entries = async (): Promise<readonly JournalEntry[]> => {
    if (store === null) return current.entries;
    return (await store.load(current.thread.id).catch(() => null))?.entries ?? []; // nothing is kept before the first turn
  };

  const isRunning = (thread: Thread): boolean => {
    const ids = kept.get(thread);
    return ids !== undefined && thread.sessions.list().some(({ id, isRunning: runs }) => runs && ids.has(id));
  };

  async function goOn(next: Opened): Promise<void> {
    const left = current;
    current = next;
    for (const listener of listeners) listener(next.thread);
    if (left.thread !== next.thread && !isRunning(left.thread)) await left.thread[Symbol.asyncDispose]();
  }

  /** The thread has to be left first: nobody may hold it twice. */
  async function reopen(config: ResolvedConfig): Promise<void> {
    const { thread, config: before } = current;
    const origin = { type: "resume", id: thread.id } as const;
    await thread[Symbol.asyncDispose]();
    try {
      await goOn(await openThread(parts, origin, config));
    } catch (error) {
      await goOn(await openThread(parts, origin, before));
      throw error;
    }
  }

  const isBegun = async (): Promise<boolean> => (await entries()).some(({ type }) => type === "turn.started");

  return {
    get thread() {
      return current.thread;
    },
    get config() {
      return current.config;
    },
    store,
    isResumable: async () => store !== null && (await isBegun()),
    entries,
    change(change: ThreadChange) {
      current.thread.change(change);
      current = { ...current, config: { ...current.config, ...change } };
    },
    open: async (origin) => goOn(await openThread(parts, origin, current.config)),
    async chooseModel(config) {
      if (!(await isBegun())) return goOn(await openThread(parts, { type: "new" }, config));
      if (store !== null) return reopen(config);
      const copy = [...current.entries];
      const thread = await parts.harness.openThread({
        ...parts.options.thread,
        config,
        entries: copy,
        journal: toJournal(copy),
      });
      return goOn({ thread, config, entries: copy });
    },
    keepSession(sessionId) {
      if (!current.thread.sessions.list().some(({ id, isRunning: runs }) => id === sessionId && runs)) return false;
      kept.set(current.thread, new Set([...(kept.get(current.thread) ?? []), sessionId]));
      return true;
    },
    leftThreads: () => [...kept.keys()].filter((thread) => thread !== current.thread && isRunning(thread)),
    onThread: (listener) => void listeners.push(listener),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
