import { type JournalEntry, listStoredTurns, listLiveItems, type SentItem } from "@unroll/protocol";

/**
 * The first turn that unroll 0.1 removed when it opened this epoch for a rewind: it did so between two turns, with
 * exactly the items before that turn. Null: the epoch had another reason.
 */
export function findRewind(before: readonly JournalEntry[], items: readonly SentItem[]): string | null {
  const last = before.findLast(({ type }) => type === "turn.started" || type === "turn.ended");
  if (last?.type !== "turn.ended") return null;
  const turns = listStoredTurns(before);
  return turns.findLast(({ start }) => areSame(listLiveItems(before.slice(0, start)), items))?.id ?? null;
}

function areSame(some: readonly SentItem[], others: readonly SentItem[]): boolean {
  return some.length === others.length && some.every(({ bytes }, at) => isSameBytes(bytes, others[at]?.bytes));
}

function isSameBytes(some: Uint8Array, other: Uint8Array | undefined): boolean {
  return some.length === other?.length && some.every((byte, at) => byte === other[at]);
}
