import type { JournalEntry } from "./journal.ts";

/** A turn that was not rewound. */
export interface TurnRange {
  readonly id: string;
  /** Its number among all turns of the thread, from 1. */
  readonly number: number;
  /** The index of its first entry in the journal. */
  readonly start: number;
}

/** The turns of a journal without those that were rewound. A rewind that was undone counts for nothing. */
export function listStoredTurns(entries: readonly JournalEntry[]): readonly TurnRange[] {
  const before: { readonly turns: readonly TurnRange[]; readonly length: number }[] = [];
  let turns: readonly TurnRange[] = [];
  let remaining: readonly TurnRange[] | null = null;
  let number = 0;
  for (const [start, entry] of entries.entries()) {
    if (entry.type === "turn.started") turns = [...turns, { id: entry.turnId, number: (number += 1), start }];
    else if (entry.type === "thread.rewound") {
      const first = turns.findIndex(({ id }) => id === entry.turnId);
      remaining = first < 0 ? null : turns.slice(0, first);
    } else if (entry.type === "epoch") {
      if (entry.isFinal) before.length = 0;
      else before.push({ turns, length: (remaining ?? turns).length });
      turns = remaining ?? turns;
      remaining = null;
    } else if (entry.type === "epoch.undone") {
      const returned = before.pop();
      if (returned !== undefined) turns = [...returned.turns, ...turns.slice(returned.length)];
    }
  }
  return turns;
}
