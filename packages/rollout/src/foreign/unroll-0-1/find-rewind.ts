import { type JournalEntry, listStoredTurns, listLiveItems, type SentItem } from "@unroll/protocol";

/**
 * The turn that unroll 0.1 took back, with all behind it, where it opened this epoch: between two turns, with exactly what stood in
 * front of a turn. Null: it opened it for another reason.
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
