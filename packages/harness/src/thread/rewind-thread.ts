import { toEpochEvent } from "@unroll/core";
import { type ItemForm, listLiveItems, listStoredTurns, type SentItem, type ThreadNoteValues } from "@unroll/protocol";
import { findOpened, type OpenedThread } from "../cache-break.ts";
import { withoutEncrypted } from "../guard/stale-content.ts";
import { HarnessError } from "../harness-error.ts";
import type { Serving, ThreadRoom } from "./serving.ts";

/** The model's knowledge and plan go back with the turns. Usage and approvals stay. */
const toldKeys: readonly (keyof ThreadNoteValues)[] = ["told", "toldFiles", "plan", "mcpTold"];

/** As `Thread.rewind`; no turn runs beside it. The thread stands as before the turns, so its next request begins as an earlier one did. */
export async function rewindThread(room: ThreadRoom, serving: Serving, count: number): Promise<number> {
  const { own, state, feed, mcp } = room;
  const { backgroundCommands } = room.tools;
  state.closeCalls();
  await state.settle();
  const entries = await own.readEntries();
  if (entries.length === 0)
    throw new HarnessError("no_thread_store", "This thread is not saved, so its turns cannot be removed.");
  const turns = listStoredTurns(entries);
  const removed = turns.slice(Math.max(0, turns.length - count));
  const [first] = removed;
  if (first === undefined) return 0;
  const running = backgroundCommands.list().filter(({ isRunning }) => isRunning);
  await Promise.all(running.map(({ id }) => backgroundCommands.kill(id)));
  const [before, since] = [entries.slice(0, first.start), entries.slice(first.start)];
  const cause = `the last ${removed.length === 1 ? "turn was" : `${removed.length} turns were`} removed`;
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

/**
 * Returns how many items are the earlier ones. Items that another model was sent are sent to this
 * one as after a model switch.
 */
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
