import type { ResolvedConfig } from "@unroll/config";
import { type JournalEntry, noTokenUsage, type StoredJournal, type ThreadStore } from "@unroll/protocol";
import { countNouns } from "@unroll/text";
import { HarnessError } from "../harness-error.ts";
import type { SharedParts } from "../base/shared-parts.ts";
import type { ThreadOptions } from "./thread-options.ts";
import type { ThreadPast } from "../base/thread-base.ts";

/** Which thread is opened: a new one, one of the store (its id, the beginning of one, or `last`), or a copy of one. */
export type ThreadOrigin =
  | { readonly type: "new" }
  | { readonly type: "stored"; readonly id: string }
  /** `at`: how many of its turns the copy begins with; null: all. */
  | { readonly type: "fork"; readonly id: string; readonly at: number | null };

/** The options that say where a thread is saved, with its config. */
type PastOptions = Pick<ThreadOptions, "id" | "ephemeral" | "journal" | "entries" | "parent"> & {
  readonly config: ResolvedConfig;
};

/** Throws what the store throws, and `HarnessError` if there is no store or no such thread or turn. */
export function openPast(shared: SharedParts, origin: ThreadOrigin, own: PastOptions): Promise<ThreadPast> {
  switch (origin.type) {
    case "new":
      return beginThread(shared, own);
    case "stored":
      return resumeThread(shared, origin.id, own);
    case "fork":
      return forkThread(shared, origin, own);
  }
}

async function beginThread(shared: SharedParts, own: PastOptions): Promise<ThreadPast> {
  const { journal, entries = [] } = own;
  const opened = entries.findLast((entry) => entry.type === "thread.opened");
  const id = opened?.threadId ?? own.id ?? shared.host.newId();
  const isOwn = journal !== undefined || own.entries !== undefined;
  if (shared.store === null || isOwn || own.ephemeral === true)
    return { ...toUnkept(id, entries, own), isKept: () => journal !== undefined && own.ephemeral !== true };
  return toKept(shared.store, id, { journal: await createJournal(shared, own, { id, forkedFrom: null, entries }) });
}

async function resumeThread(shared: SharedParts, id: string, own: PastOptions): Promise<ThreadPast> {
  const store = requireStore(shared);
  const found = await findThread(store, id, own);
  if (own.ephemeral === true) {
    const stored = await store.load(found); // not locked: its holder may continue, because nothing is written
    return toUnkept(stored.threadId, stored.entries, own);
  }
  const { threadId, journal, entries, repairs } = await store.resume(found);
  return toKept(store, threadId, { journal, entries, warnings: repairs });
}

/** The other thread is not held, and stays as it is. */
async function forkThread(
  shared: SharedParts,
  { id: of, at }: Extract<ThreadOrigin, { readonly type: "fork" }>,
  own: PastOptions,
): Promise<ThreadPast> {
  const store = requireStore(shared);
  const stored = await store.load(await findThread(store, of, own));
  const id = shared.host.newId();
  const entries = takeTurns(stored.entries, at).flatMap((entry) => inheritEntry(entry, id));
  if (own.ephemeral === true) return toUnkept(id, entries, own);
  const journal = await createJournal(shared, own, { id, forkedFrom: stored.threadId, entries });
  return toKept(store, id, { journal, entries, warnings: stored.repairs });
}

function toUnkept(id: string, entries: readonly JournalEntry[], own: PastOptions): ThreadPast {
  const readEntries: ThreadPast["readEntries"] = () => Promise.resolve([]);
  return {
    id,
    entries,
    journal: own.journal ?? null,
    held: null,
    lost: null,
    isKept: () => false,
    warnings: [],
    readEntries,
  };
}

function toKept(
  store: ThreadStore,
  id: string,
  past: { readonly journal: StoredJournal } & Partial<Pick<ThreadPast, "entries" | "warnings">>,
): ThreadPast {
  const { journal, entries = [], warnings = [] } = past;
  const readEntries = openReader(store, id);
  return {
    id,
    entries,
    journal,
    held: journal,
    lost: journal.lost ?? null,
    isKept: () => journal.isKept,
    warnings,
    readEntries,
  };
}

function openReader(store: ThreadStore, id: string): ThreadPast["readEntries"] {
  return async () => {
    try {
      return (await store.load(id)).entries;
    } catch (error) {
      // A thread without messages is not saved.
      if (error instanceof Error && "code" in error && error.code === "thread_missing") return [];
      throw error;
    }
  };
}

function requireStore({ store }: SharedParts): ThreadStore {
  if (store !== null) return store;
  throw new HarnessError("no_thread_store", "Threads are not saved here: give openHarness a store.");
}

async function findThread(store: ThreadStore, id: string, { config: { cwd } }: PastOptions): Promise<string> {
  if (id !== "last") return id;
  const found = await store.find("last", { cwd });
  if (found !== null) return found;
  throw new HarnessError(
    "thread_missing",
    `No thread was started in ${cwd}. Give an id: unroll threads list --all shows them.`,
  );
}

interface NewThread {
  readonly id: string;
  readonly forkedFrom: string | null;
  readonly entries: readonly JournalEntry[];
}

function createJournal(
  shared: SharedParts,
  { config: { cwd, provider }, parent }: PastOptions,
  { id: threadId, forkedFrom, entries }: NewThread,
): Promise<StoredJournal> {
  const { userAgent } = shared;
  const of = parent && { parent: { threadId: parent.id, depth: parent.bounds.tree.depth + 1 } };
  const meta = { threadId, cwd, userAgent, modelProvider: provider.id, forkedFrom, ...of };
  return requireStore(shared).create(meta, entries);
}

function takeTurns(entries: readonly JournalEntry[], count: number | null): readonly JournalEntry[] {
  if (count === null) return entries;
  const starts = entries.flatMap(({ type }, index) => (type === "turn.started" ? [index] : []));
  if (count === starts.length) return entries;
  const end = starts[count];
  if (end !== undefined) return entries.slice(0, end);
  throw new HarnessError(
    "thread_missing",
    `The thread has ${countNouns(starts.length, "turn")}, so it cannot be forked after turn ${count}.`,
  );
}

const ownNotes: readonly string[] = ["spent", "name", "waiting", "agentsTold"];

/**
 * The part of an entry that a fork inherits. The other thread's usage is counted there, its name is
 * its own, and its queued messages are sent there.
 */
function inheritEntry(entry: JournalEntry, threadId: string): readonly JournalEntry[] {
  switch (entry.type) {
    case "thread.opened":
      return [{ ...entry, threadId }];
    case "request":
      return [{ ...entry, request: { ...entry.request, isInherited: true } }];
    case "usage.counted":
    case "call.asked":
    case "call.started":
    case "agent.started": // its sub-agents belong to the other thread
      return [];
    case "turn.ended":
      return [{ ...entry, outcome: { ...entry.outcome, usage: noTokenUsage } }];
    case "note":
      return ownNotes.includes(entry.key) ? [] : [entry];
    case "settings":
    case "item":
    case "item.ended":
    case "told":
    case "thread.rewound":
    case "epoch":
    case "epoch.undone":
    case "turn.started":
    case "items.reserved":
      return [entry];
  }
}
