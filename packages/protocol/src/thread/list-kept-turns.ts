import type { JournalEntry, SentItem } from "./journal.ts";
import { listLiveItems } from "./list-live-items.ts";

/** A turn that was not taken back. */
export interface KeptTurn {
  readonly id: string;
  /** Of all turns that were begun in the thread, from 1. */
  readonly number: number;
  /** Of its first entry, in the journal. */
  readonly start: number;
}

/**
 * The turns of a journal but those that were taken back: between two turns the conversation then began anew with exactly what
 * stood in front of one of them. Of turns in which nothing was said the last one counts.
 */
export function listKeptTurns(entries: readonly JournalEntry[]): readonly KeptTurn[] {
  const before: { readonly turns: readonly KeptTurn[]; readonly length: number }[] = [];
  let turns: readonly KeptTurn[] = [];
  let number = 0;
  let isRunning = false;
  for (const [index, entry] of entries.entries()) {
    if (entry.type === "turn.started") turns = [...turns, { id: entry.turnId, number: (number += 1), start: index }];
    if (entry.type === "turn.started" || entry.type === "turn.ended") isRunning = entry.type === "turn.started";
    if (entry.type === "epoch") {
      const kept = isRunning || entry.isFinal ? turns : dropTurns(turns, entries, entry.items);
      if (entry.isFinal) before.length = 0;
      else before.push({ turns, length: kept.length });
      turns = kept;
    }
    const returned = entry.type === "epoch.undone" ? before.pop() : undefined;
    if (returned !== undefined) turns = [...returned.turns, ...turns.slice(returned.length)];
  }
  return turns;
}

/** Those in front of the turn that began with these items; all where none did. */
function dropTurns(
  turns: readonly KeptTurn[],
  entries: readonly JournalEntry[],
  items: readonly SentItem[],
): readonly KeptTurn[] {
  const at = turns.findLastIndex(({ start }) => areSame(listLiveItems(entries.slice(0, start)), items));
  return at < 0 ? turns : turns.slice(0, at);
}

function areSame(some: readonly SentItem[], others: readonly SentItem[]): boolean {
  return some.length === others.length && some.every(({ bytes }, at) => isSameBytes(bytes, others[at]?.bytes));
}

function isSameBytes(some: Uint8Array, other: Uint8Array | undefined): boolean {
  return some.length === other?.length && some.every((byte, at) => byte === other[at]);
}
