import type { JournalEntry, StoredJournal, ThreadStore } from "@unroll/protocol";
import { HarnessError } from "../harness-error.ts";
import { beginWith } from "./begin-with.ts";
import { inheritEntry } from "./inherit-entry.ts";
import type { SharedParts } from "./shared-parts.ts";
import { type KeptThread, type SettledThreadOptions, startThread, type ThreadOptions } from "./start-thread.ts";
import type { Thread } from "./thread.ts";

/** Of a thread that begins as another one did. */
export interface ForkOptions extends ThreadOptions {
  /** How many of its turns the fork begins with. Absent: all. */
  readonly at?: number;
}

/** The same with a config that was settled. */
export type SettledForkOptions = SettledThreadOptions & Pick<ForkOptions, "at">;

/** Opens a new thread, in the store of the harness where there is one and the thread is not to stay out of it. */
export async function openNewThread(shared: SharedParts, options: SettledThreadOptions): Promise<Thread> {
  const isOwn = options.journal !== undefined || options.entries !== undefined;
  if (shared.store === null || isOwn || options.ephemeral === true) return startThread(shared, options, null);
  const id = options.id ?? shared.host.newId();
  const journal = await createJournal(shared, options, { id, forkedFrom: null });
  const readEntries = openReader(shared.store, id);
  return startThread(shared, options, { id, ...watchBegin(journal), entries: [], warnings: [], readEntries });
}

/** `id`: or the beginning of one, or `last`, the one of the working folder that was used last. */
export async function resumeStoredThread(
  shared: SharedParts,
  id: string,
  options: SettledThreadOptions,
): Promise<Thread> {
  const store = requireStore(shared);
  const found = await findThread(shared, id, options);
  if (options.ephemeral === true) {
    const stored = await store.load(found); // not held: whoever has it may go on, for nothing is written
    return startThread(shared, { ...options, id: stored.threadId, entries: stored.entries }, null);
  }
  const { threadId, journal, entries, repairs } = await store.resume(found);
  const readEntries = openReader(store, threadId);
  const kept = { id: threadId, journal, entries, isWritten: () => true, warnings: repairs, readEntries };
  return startThread(shared, options, kept);
}

/** A new thread that begins as the one of this id does; that one is not held, and stays as it is. */
export async function forkStoredThread(shared: SharedParts, id: string, options: SettledForkOptions): Promise<Thread> {
  const store = requireStore(shared);
  const stored = await store.load(await findThread(shared, id, options));
  const newId = shared.host.newId();
  const entries = takeTurns(stored.entries, options.at ?? null).flatMap((entry) => inheritEntry(entry, newId));
  if (options.ephemeral === true) return startThread(shared, { ...options, id: newId, entries }, null);
  const journal = beginWith(entries, await createJournal(shared, options, { id: newId, forkedFrom: stored.threadId }));
  const readEntries = openReader(store, newId);
  const kept = { id: newId, ...watchBegin(journal), entries, warnings: stored.repairs, readEntries };
  return startThread(shared, options, kept);
}

function openReader(store: ThreadStore, id: string): KeptThread["readEntries"] {
  return async () => {
    try {
      return (await store.load(id)).entries;
    } catch (error) {
      // one in which nothing was said is not kept
      if (error instanceof Error && "code" in error && error.code === "thread_missing") return [];
      throw error;
    }
  };
}

/** A store keeps a new thread from its first turn on. */
function watchBegin(journal: StoredJournal): Pick<KeptThread, "journal" | "isWritten"> {
  let isWritten = false;
  const watched: StoredJournal = {
    record(entry) {
      isWritten ||= entry.type === "turn.started";
      journal.record(entry);
    },
    settled: () => journal.settled(),
    [Symbol.asyncDispose]: () => journal[Symbol.asyncDispose](),
  };
  return { journal: watched, isWritten: () => isWritten };
}

function requireStore({ store }: SharedParts): ThreadStore {
  if (store !== null) return store;
  throw new HarnessError("no_thread_store", "Threads are not kept here: give openHarness a store.");
}

async function findThread(shared: SharedParts, id: string, options: SettledThreadOptions): Promise<string> {
  if (id !== "last") return id;
  const { cwd } = options.config ?? shared.config;
  const found = await requireStore(shared).find("last", { cwd });
  if (found !== null) return found;
  throw new HarnessError(
    "thread_missing",
    `No thread was begun in ${cwd}: name one by its id, which unroll threads list --all shows.`,
  );
}

interface NewThread {
  readonly id: string;
  readonly forkedFrom: string | null;
}

function createJournal(shared: SharedParts, options: SettledThreadOptions, made: NewThread): Promise<StoredJournal> {
  const { cwd, provider } = options.config ?? shared.config;
  const { userAgent } = shared;
  const { id: threadId, forkedFrom } = made;
  return requireStore(shared).create({ threadId, cwd, userAgent, modelProvider: provider.id, forkedFrom });
}

function takeTurns(entries: readonly JournalEntry[], count: number | null): readonly JournalEntry[] {
  if (count === null) return entries;
  const starts = entries.flatMap(({ type }, index) => (type === "turn.started" ? [index] : []));
  if (count === starts.length) return entries;
  const end = starts[count];
  if (end !== undefined) return entries.slice(0, end);
  throw new HarnessError(
    "thread_missing",
    `The thread has ${starts.length} turns, so it cannot be forked behind turn ${count}.`,
  );
}
