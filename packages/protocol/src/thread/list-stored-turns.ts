import type { JournalEntry } from "./journal.ts";

/** A turn that was not taken back. */
export interface TurnRange {
  readonly id: string;
  /** Of all turns that were begun in the thread, from 1. */
  readonly number: number;
  /** Of its first entry, in the journal. */
  readonly start: number;
}

/** The turns of a journal but those that were taken back; where that was undone, they are among them again. */
export function listStoredTurns(entries: readonly JournalEntry[]): readonly TurnRange[] {
  const before: { readonly turns: readonly TurnRange[]; readonly length: number }[] = [];
  let turns: readonly TurnRange[] = [];
  let kept: readonly TurnRange[] | null = null;
  let number = 0;
  for (const [start, entry] of entries.entries()) {
    switch (entry.type) {
      case "turn.started":
        turns = [...turns, { id: entry.turnId, number: (number += 1), start }];
        break;
      case "thread.rewound": {
        const first = turns.findIndex(({ id }) => id === entry.turnId);
        kept = first < 0 ? null : turns.slice(0, first);
        break;
      }
      case "epoch":
        if (entry.isFinal) before.length = 0;
        else before.push({ turns, length: (kept ?? turns).length });
        turns = kept ?? turns;
        kept = null;
        break;
      case "epoch.undone": {
        const returned = before.pop();
        if (returned !== undefined) turns = [...returned.turns, ...turns.slice(returned.length)];
        break;
      }
      case "thread.opened":
      case "settings":
      case "item":
      case "item.ended":
      case "told":
      case "request":
      case "note":
      case "items.reserved":
      case "turn.ended":
    }
  }
  return turns;
}
