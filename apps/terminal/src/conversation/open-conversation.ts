import type { ResolvedConfig } from "@unroll/config";
import type { Harness, HarnessOptions, Thread, ThreadChange, ThreadOptions } from "@unroll/harness";
import type { Journal, JournalEntry, ThreadStore } from "@unroll/protocol";
import { openAsWished, type OwnModel } from "./own-model.ts";
import type { Conversation, ThreadListener, ThreadOrigin } from "./conversation.ts";

export interface ConversationOptions {
  readonly harness: Omit<HarnessOptions, "store" | "config"> & { readonly config: ResolvedConfig };
  /** Of every thread. */
  readonly thread: Omit<ThreadOptions, "config" | "journal" | "entries" | "ephemeral" | "parent">;
  /** Null: threads are not kept. */
  readonly store: ThreadStore | null;
  readonly origin: ThreadOrigin;
  readonly ownModel: OwnModel;
}

/** Opens a harness and the first thread. What runs threads is loaded only now. Throws what these throw. */
export async function openConversation(options: ConversationOptions): Promise<Conversation> {
  const { openHarness } = await import("@unroll/harness");
  await using opening = new AsyncDisposableStack();
  const { store, origin } = options;
  const harness = opening.use(await openHarness({ ...options.harness, ...(store !== null && { store }) }));
  const parts = { harness, options };
  const first = await openOrigin(parts, origin, options.harness.config);
  return createConversation(parts, first, opening.move());
}

interface ConversationParts {
  readonly harness: Harness;
  readonly options: ConversationOptions;
}

/** A thread that is gone on with. */
interface Opened {
  readonly thread: Thread;
  /** For the threads after it, too: without what it keeps for itself of an earlier run. */
  readonly config: ResolvedConfig;
  readonly origin: ThreadOrigin;
  /** Of a thread that is not kept, or not yet: what it began with, and all since where nothing is kept. */
  readonly entries: readonly JournalEntry[];
}

/** With the config, or with the model that its thread has. */
function openOrigin(parts: ConversationParts, origin: ThreadOrigin, config: ResolvedConfig): Promise<Opened> {
  return openAsWished(config, parts.options.ownModel, (own) => openThread(parts, origin, own));
}

async function openThread(
  { harness, options }: ConversationParts,
  origin: ThreadOrigin,
  config: ResolvedConfig,
): Promise<Opened> {
  const own = { ...options.thread, config };
  switch (origin.type) {
    case "new": {
      if (options.store !== null) return { thread: await harness.openThread(own), config, origin, entries: [] };
      const entries: JournalEntry[] = [];
      return { thread: await harness.openThread({ ...own, journal: toJournal(entries) }), config, origin, entries };
    }
    case "resume":
      return { thread: await harness.resumeThread(origin.id, own), config, origin, entries: [] };
    case "fork": {
      const at = origin.turns === null ? {} : { at: origin.turns };
      const thread = await harness.forkThread(origin.id, { ...own, ...at });
      return { thread, config, origin, entries: await readOrigin(options.store, origin) };
    }
  }
}

/** What a copy began with: it is written down with its first turn only. */
async function readOrigin(
  store: ThreadStore | null,
  { id, turns }: Extract<ThreadOrigin, { readonly type: "fork" }>,
): Promise<readonly JournalEntry[]> {
  const entries = (await store?.load(id))?.entries ?? [];
  const starts = entries.flatMap(({ type }, at) => (type === "turn.started" ? [at] : []));
  return turns === null ? entries : entries.slice(0, starts[turns]);
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
  readonly listeners: ThreadListener[];
  onEnded: (command: string) => void;
}

function createConversation(parts: ConversationParts, first: Opened, opened: AsyncDisposableStack): Conversation {
  const state: ConversationState = { ...parts, current: first, kept: new Map(), listeners: [], onEnded: () => {} };
  const { store } = parts.options;
  return {
    get thread() {
      return state.current.thread;
    },
    get config() {
      return state.current.thread.config;
    },
    store,
    isResumable: () => isKept(state),
    entries: () => readEntries(state),
    change(change: ThreadChange) {
      const { current } = state;
      state.current = { ...current, config: toNext(current.config, current.thread.change(change), change) };
    },
    open: (origin) => open(state, origin),
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
    onEnded: (listener) => void (state.onEnded = listener),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** `now`: the settings of a thread with a change. What it is sent stays its own, but for an effort that the change sets. */
function toNext(before: ResolvedConfig, now: ResolvedConfig, { reasoningEffort }: ThreadChange): ResolvedConfig {
  const { verbosity, reasoningContext, origins } = before;
  const own = { verbosity, reasoningContext };
  if (reasoningEffort === undefined) return { ...now, ...own, reasoningEffort: before.reasoningEffort, origins };
  const key = "model_reasoning_effort";
  return { ...now, ...own, origins: new Map([...origins, [key, { type: "thread" }]]) };
}

async function readEntries(state: ConversationState): Promise<readonly JournalEntry[]> {
  return (await readKept(state)) ?? state.current.entries;
}

/** Null: nothing of it is kept, as before its first turn. */
async function readKept({ options: { store }, current }: ConversationState): Promise<readonly JournalEntry[] | null> {
  return (await store?.load(current.thread.id).catch(() => null))?.entries ?? null;
}

async function isKept(state: ConversationState): Promise<boolean> {
  return hasTurn((await readKept(state)) ?? []);
}

function hasTurn(entries: readonly JournalEntry[]): boolean {
  return entries.some(({ type }) => type === "turn.started");
}

function runsKept({ kept }: ConversationState, thread: Thread): boolean {
  const ids = kept.get(thread);
  return ids !== undefined && thread.sessions.list().some(({ id, isRunning }) => isRunning && ids.has(id));
}

async function open(state: ConversationState, wanted: ThreadOrigin): Promise<void> {
  const origin = await settleOrigin(state, wanted);
  const isCopy = wanted.type === "fork" && wanted.id === state.current.thread.id && wanted.turns === null;
  await goOn(state, await openOrigin(state, origin, state.current.config), isCopy ? "on" : "anew");
}

/** A copy in which nothing was said yet is not there to be copied: what it was made of is. */
async function settleOrigin(state: ConversationState, wanted: ThreadOrigin): Promise<ThreadOrigin> {
  const { thread, origin } = state.current;
  if (wanted.type !== "fork" || wanted.id !== thread.id || origin.type !== "fork" || (await isKept(state)))
    return wanted;
  return { ...origin, turns: wanted.turns ?? origin.turns };
}

async function goOn(state: ConversationState, next: Opened, how: "on" | "anew"): Promise<void> {
  const { thread } = state.current;
  state.current = next;
  for (const listener of state.listeners) listener(next.thread, how);
  if (thread !== next.thread && !runsKept(state, thread)) await close(state, thread);
}

/** Its commands end with it. */
async function close(state: ConversationState, thread: Thread): Promise<void> {
  const running = thread.sessions.list().filter(({ isRunning }) => isRunning);
  await thread[Symbol.asyncDispose]();
  for (const { command } of running) state.onEnded(command);
}

async function chooseModel(state: ConversationState, config: ResolvedConfig): Promise<void> {
  const { current, options } = state;
  try {
    await current.thread.chooseModel(config);
  } catch (error) {
    options.ownModel.wish.take(); // it is what comes of any no here
    throw error;
  }
  state.current = { ...current, config };
}
