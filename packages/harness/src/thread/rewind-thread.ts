import { type ThreadState, toEpochEvent } from "@unroll/core";
import { type JournalEntry, listStoredTurns } from "@unroll/protocol";
import type { BackgroundCommandList } from "@unroll/tools";
import { withoutEncrypted } from "../guard/encrypted-items.ts";
import { HarnessError } from "../harness-error.ts";
import { findOpened, type OpenedThread } from "../prefix/cache-break.ts";
import { takeBackTurns } from "./take-back-turns.ts";
import type { ThreadSettings } from "../settings/thread-settings.ts";
import type { Serving } from "./serving.ts";
import type { ThreadFeed } from "./thread-feed.ts";

type EpochEntry = Extract<JournalEntry, { readonly type: "epoch" }>;

export interface RewoundParts {
  readonly state: ThreadState;
  readonly feed: Pick<ThreadFeed, "tell">;
  readonly settings: Pick<ThreadSettings, "config">;
  readonly serving: () => Pick<Serving, "server">;
  readonly sessions: BackgroundCommandList;
  /** All that is written of the thread; empty: nothing is. */
  readonly readEntries: () => Promise<readonly JournalEntry[]>;
  /** What the model was told is read from the notes again. */
  readonly returnToNotes: () => void;
}

/** As `Thread.rewind`; no turn runs beside it. */
export async function rewindThread(parts: RewoundParts, count: number): Promise<number> {
  const { state, feed, sessions } = parts;
  await state.settle();
  const entries = await parts.readEntries();
  if (entries.length === 0)
    throw new HarnessError("no_thread_store", "Nothing of this thread is kept, so no turn of it can be taken back.");
  const turns = listStoredTurns(entries);
  const first = turns[Math.max(0, turns.length - count)];
  const taken = takeBackTurns(entries, count);
  if (first === undefined || taken.length === 0) return 0;
  const opened = findOpened(entries.slice(0, first.start));
  const running = sessions.list().filter(({ isRunning }) => isRunning);
  await Promise.all(running.map(({ id }) => sessions.kill(id)));
  for (const entry of taken) {
    if (entry.type === "note") state.notes.set(entry.key, entry.value);
    else if (entry.type !== "epoch") state.journal.record(entry);
    else feed.tell(toEpochEvent(state.transcript, entry.cause, returnTo(parts, entry, opened)));
  }
  parts.returnToNotes();
  await state.settle();
  return Math.min(count, turns.length);
}

/** Returns how many items are those of before. What another model was sent is sent to this one as a change of the model would send it. */
function returnTo(
  { state, settings, serving }: RewoundParts,
  { items, cause }: EpochEntry,
  before: OpenedThread | null,
): number {
  const { model, provider } = settings.config;
  if (before === null || (before.model === model && before.provider === provider.id))
    return state.returnTo(items, cause);
  const own = items.map(({ item }) => item);
  const readable = before.provider === provider.id ? withoutEncrypted(own, "reasoning", { keepsIds: false }) : own;
  const maker = { provider: before.provider, model: before.model };
  return state.openEpoch(readable, cause, { isFinal: true, form: serving().server.itemForm, maker });
}
