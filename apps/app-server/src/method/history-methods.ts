import type { ClientParams, WireItem, WireTurn } from "@unroll/app-server-protocol";
import type { UserInputPart } from "@unroll/protocol";
import { readCursor } from "@unroll/thread-host";
import { RequestFault } from "@unroll/thread-host/wire";
import { describeLive } from "./describe-thread.ts";
import type { MethodTable } from "./method.ts";
import { readLiveTurns, readTurns } from "./read-turns.ts";
import { takePage } from "./take-page.ts";

/** The methods of this file. */
export type HistoryMethod = "thread/turns/list" | "thread/items/list" | "thread/revert" | "thread/inject_items";

export const historyMethods: MethodTable<HistoryMethod> = {
  async "thread/turns/list"({ threadId, cursor = null, limit = null, sortDirection, itemsView }, context) {
    const turns = await readTurns(threadId, context);
    const direction = sortDirection ?? "desc";
    const { data, ...cursors } = takePage(turns, { cursor: readCursor(cursor), limit, direction });
    return { result: { data: data.map((turn) => toView(turn, itemsView ?? "summary")), ...cursors } };
  },

  async "thread/items/list"({ threadId, turnId = null, cursor = null, limit = null, sortDirection }, context) {
    const turns = await readTurns(threadId, context);
    if (turnId !== null && !turns.some(({ id }) => id === turnId)) throw missingTurn("turnId", threadId, turnId);
    const items = listItems(turns.filter(({ id }) => turnId === null || id === turnId));
    const direction = sortDirection ?? "asc";
    const first = typeof cursor === "object" ? findBehind(items, { cursor, turnId, direction }) : readCursor(cursor);
    return { result: takePage(items, { cursor: first, limit, direction }) };
  },

  async "thread/revert"({ threadId, beforeTurnId }, context) {
    const live = context.threads.find(threadId);
    const turns = await readLiveTurns(live);
    const kept = turns.findIndex(({ id }) => id === beforeTurnId);
    if (kept < 0) throw missingTurn("beforeTurnId", threadId, beforeTurnId);
    await live.rewind(turns.length - kept);
    const items = listItems(turns.slice(0, kept));
    const toCursor = (count: number): string | null => (count === 0 ? null : String(count - 1));
    return {
      result: {
        thread: describeLive(live, [], context),
        turnsBackwardsCursor: toCursor(kept),
        itemsBackwardsCursor: toCursor(items.length),
      },
      after: () => live.client.group.tell([{ method: "thread/reverted", params: { threadId } }]),
    };
  },

  async "thread/inject_items"({ threadId, items }, { threads }) {
    const live = threads.find(threadId);
    const inputs = items.map(({ content }, index) => content.map((part) => toPart(part, `items[${index}]`)));
    for (const input of inputs) await live.send(input);
    return { result: {} };
  },
};

function missingTurn(place: string, threadId: string, turnId: string): RequestFault {
  return new RequestFault("invalidParams", `${place}: the thread ${threadId} has no turn ${turnId}.`);
}

/** `summary`: your first message and the last answer. */
function toView(turn: WireTurn, itemsView: WireTurn["itemsView"]): WireTurn {
  if (itemsView === "full") return turn;
  const items = itemsView === "summary" ? summarize(turn.items) : [];
  return { ...turn, itemsView, items };
}

function summarize(items: readonly WireItem[]): WireItem[] {
  const shown = [
    items.find(({ type }) => type === "userMessage"),
    items.findLast(({ type }) => type === "agentMessage"),
  ];
  return shown.filter((item) => item !== undefined);
}

interface ListedItem {
  readonly turnId: string;
  readonly item: WireItem;
  readonly startedAtMs: null;
  readonly completedAtMs: null;
}

function listItems(turns: readonly WireTurn[]): readonly ListedItem[] {
  const untimed = { startedAtMs: null, completedAtMs: null };
  return turns.flatMap(({ id: turnId, items }) => items.map((item) => ({ turnId, item, ...untimed })));
}

interface Behind {
  readonly cursor: Exclude<ClientParams<"thread/items/list">["cursor"], string | undefined>;
  readonly turnId: string | null;
  readonly direction: "asc" | "desc";
}

/** The place behind an item that a client names. */
function findBehind(items: readonly ListedItem[], { cursor, turnId, direction }: Behind): number | null {
  if (cursor === null) return null;
  if (turnId === null) throw new RequestFault("invalidParams", "cursor: an item as cursor needs a turnId.");
  const found = items.findIndex(({ item }) => item.id === cursor.itemId);
  if (found >= 0) return direction === "asc" ? found + 1 : found - 1;
  throw new RequestFault("invalidParams", `cursor: the turn ${turnId} has no item ${cursor.itemId}.`);
}

type InjectedPart = ClientParams<"thread/inject_items">["items"][number]["content"][number];

function toPart(part: InjectedPart, place: string): UserInputPart {
  if (part.type === "input_text") return { type: "text", text: part.text };
  if (part.image_url.startsWith("data:image/")) return { type: "image", dataUrl: part.image_url };
  throw new RequestFault("invalidParams", `${place}: a data: URL of an image is expected.`);
}
