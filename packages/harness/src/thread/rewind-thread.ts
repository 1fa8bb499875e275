import { type ThreadState, toEpochEvent } from "@unroll/core";
import { type JournalEntry, listLiveItems, listStoredTurns, type ThreadNoteValues } from "@unroll/protocol";
import type { BackgroundCommandList } from "@unroll/tools";
import { withoutEncrypted } from "../guard/stale-content.ts";
import { HarnessError } from "../harness-error.ts";
import { findOpened, type OpenedThread } from "../cache-break.ts";
import type { ThreadSettings } from "../settings/thread-settings.ts";
import type { Serving } from "./serving.ts";
import type { ThreadFeed } from "./thread-feed.ts";

type EpochEntry = Extract<JournalEntry, { readonly type: "epoch" }>;

interface RewoundParts {
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

const toldKeys = ["told", "toldFiles", "plan", "mcpTold"] as const satisfies readonly (keyof ThreadNoteValues)[];
/** What the model was told and had planned, before anything was: it goes with the turns. What was spent and approved stays. */
const untold: Pick<ThreadNoteValues, (typeof toldKeys)[number]> = {
  told: null,
  toldFiles: null,
  plan: null,
  mcpTold: null,
};

/**
 * The entries that take the last so many turns of a thread back, to be written behind these: it goes on as it stood in front of
 * them, so its next request begins as an earlier one did. Empty: there is nothing to take back.
 */
function takeBackTurns(entries: readonly JournalEntry[], count: number): readonly JournalEntry[] {
  const turns = listStoredTurns(entries);
  const first = turns[Math.max(0, turns.length - count)];
  if (first === undefined || count === 0) return [];
  const before = entries.slice(0, first.start);
  const cause = `the last turns (${Math.min(count, turns.length)}) were taken back`;
  return [
    { type: "thread.rewound", turnId: first.id },
    { type: "epoch", cause, isFinal: false, items: listLiveItems(before) },
    ...toldKeys.flatMap((key) => returnNote(key, before, entries.slice(first.start))),
  ];
}

function returnNote(
  key: (typeof toldKeys)[number],
  before: readonly JournalEntry[],
  since: readonly JournalEntry[],
): readonly JournalEntry[] {
  const isNote = (entry: JournalEntry): boolean => entry.type === "note" && entry.key === key;
  if (!since.some(isNote)) return [];
  return [before.findLast(isNote) ?? { type: "note", key, value: untold[key] }];
}
