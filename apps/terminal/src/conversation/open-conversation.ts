import type { ResolvedConfig } from "@unroll/config";
import type { Harness, HarnessOptions, Thread, ThreadChange, ThreadOptions } from "@unroll/harness";
import type { Journal, JournalEntry, ThreadStore } from "@unroll/protocol";
import type { Conversation, ThreadOrigin } from "./conversation.ts";

export interface ConversationOptions {
  readonly harness: Omit<HarnessOptions, "store" | "config"> & { readonly config: ResolvedConfig };
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

/** What a conversation is at the moment. */
interface ConversationState extends ConversationParts {
  current: Opened;
  /** By thread: the commands that are to outlive it. */
  readonly kept: Map<Thread, Set<number>>;
  readonly listeners: ((thread: Thread) => void)[];
}

function createConversation(parts: ConversationParts, first: Opened, opened: AsyncDisposableStack): Conversation {
  const state: ConversationState = { ...parts, current: first, kept: new Map(), listeners: [] };
  const { store } = parts.options;
  return {
    get thread() {
      return state.current.thread;
    },
    get config() {
      return state.current.config;
    },
    store,
    isResumable: async () => store !== null && (await isBegun(state)),
    entries: () => readEntries(state),
    change(change: ThreadChange) {
      state.current.thread.change(change);
      state.current = { ...state.current, config: { ...state.current.config, ...change } };
    },
    open: async (origin) => goOn(state, await openThread(parts, origin, state.current.config)),
    chooseModel: (config) => chooseModel(state, config),
    keepSession(sessionId) {
      const { thread } = state.current;
      if (!thread.sessions.list().some(({ id, isRunning }) => id === sessionId && isRunning)) return false;
      state.kept.set(thread, new Set([...(state.kept.get(thread) ?? []), sessionId]));
      return true;
    },
    leftThreads: () =>
      [...state.kept.keys()].filter((thread) => thread !== state.current.thread && runsKept(state, thread)),
    onThread: (listener) => void state.listeners.push(listener),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function readEntries({ options: { store }, current }: ConversationState): Promise<readonly JournalEntry[]> {
  if (store === null) return current.entries;
  return (await store.load(current.thread.id).catch(() => null))?.entries ?? []; // nothing is kept before the first turn
}

async function isBegun(state: ConversationState): Promise<boolean> {
  return (await readEntries(state)).some(({ type }) => type === "turn.started");
}

function runsKept({ kept }: ConversationState, thread: Thread): boolean {
  const ids = kept.get(thread);
  return ids !== undefined && thread.sessions.list().some(({ id, isRunning }) => isRunning && ids.has(id));
}

async function goOn(state: ConversationState, next: Opened): Promise<void> {
  const { thread } = state.current;
  state.current = next;
  for (const listener of state.listeners) listener(next.thread);
  if (thread !== next.thread && !runsKept(state, thread)) await thread[Symbol.asyncDispose]();
}

async function chooseModel(state: ConversationState, config: ResolvedConfig): Promise<void> {
  const { harness, options, current } = state;
  if (!(await isBegun(state))) return goOn(state, await openThread(state, { type: "new" }, config));
  if (options.store !== null) return reopen(state, config);
  const entries = [...current.entries];
  const own = { ...options.thread, config, entries: [...entries], journal: toJournal(entries) };
  return goOn(state, { thread: await harness.openThread(own), config, entries });
}

/** The thread has to be left first: nobody may hold it twice. */
async function reopen(state: ConversationState, config: ResolvedConfig): Promise<void> {
  const { thread, config: before } = state.current;
  const origin = { type: "resume", id: thread.id } as const;
  await thread[Symbol.asyncDispose]();
  try {
    await goOn(state, await openThread(state, origin, config));
  } catch (error) {
    await goOn(state, await openThread(state, origin, before));
    throw error;
  }
}
