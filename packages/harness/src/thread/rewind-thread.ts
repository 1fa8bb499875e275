import { toEpochEvent } from "@unroll/core";
import { type ItemForm, listLiveItems, listStoredTurns, type SentItem, type ThreadNoteValues } from "@unroll/protocol";
import { findOpened, type OpenedThread } from "../cache-break.ts";
import { withoutEncrypted } from "../guard/stale-content.ts";
import { HarnessError } from "../harness-error.ts";
import type { Serving, ThreadRoom } from "./serving.ts";

/** What the model was told and had planned goes with the turns. What was spent and approved stays. */
const toldKeys: readonly (keyof ThreadNoteValues)[] = ["told", "toldFiles", "plan", "mcpTold"];

/** As `Thread.rewind`; no turn runs beside it. The thread stands as before the turns, so its next request begins as an earlier one did. */
export async function rewindThread(room: ThreadRoom, serving: Serving, count: number): Promise<number> {
  const { own, state, feed, mcp } = room;
  const { backgroundCommands } = room.tools;
  await state.settle();
  const entries = await own.readEntries();
  if (entries.length === 0)
    throw new HarnessError("no_thread_store", "Nothing of this thread is kept, so no turn of it can be taken back.");
  const turns = listStoredTurns(entries);
  const removed = turns.slice(Math.max(0, turns.length - count));
  const [first] = removed;
  if (first === undefined) return 0;
  const running = backgroundCommands.list().filter(({ isRunning }) => isRunning);
  await Promise.all(running.map(({ id }) => backgroundCommands.kill(id)));
  const [before, since] = [entries.slice(0, first.start), entries.slice(first.start)];
  const cause = `the last turns (${removed.length}) were taken back`;
  state.journal.record({ type: "thread.rewound", turnId: first.id });
  const shared = returnTo(room, listLiveItems(before), {
    cause,
    opened: findOpened(before),
    form: serving.server.itemForm,
  });
  feed.tell(toEpochEvent(state.transcript, cause, shared));
  for (const key of toldKeys) {
    const [was, is] = [before, since].map((some) =>
      some.filter((entry) => entry.type === "note").findLast((entry) => entry.key === key),
    );
    if (is !== undefined) state.notes.set(key, was?.value ?? null);
  }
  mcp.returnToNotes();
  await state.settle();
  return removed.length;
}

interface Return {
  readonly cause: string;
  /** How the thread was opened then. */
  readonly opened: OpenedThread | null;
  readonly form: ItemForm;
}

/** Returns how many items are those of before. What another model was sent is sent to this one as a change of the model would send it. */
function returnTo(
  { state, settings }: ThreadRoom,
  items: readonly SentItem[],
  { cause, opened, form }: Return,
): number {
  const { model, provider } = settings.config;
  if (opened === null || (opened.model === model && opened.provider === provider.id))
    return state.returnTo(items, cause);
  const own = items.map(({ item }) => item);
  const readable = opened.provider === provider.id ? withoutEncrypted(own, "reasoning", { keepsIds: false }) : own;
  const maker = { provider: opened.provider, model: opened.model };
  return state.openEpoch(readable, cause, { isFinal: true, form, maker });
}
