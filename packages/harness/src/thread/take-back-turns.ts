import { type JournalEntry, listStoredTurns, listLiveItems, type ThreadNoteValues } from "@unroll/protocol";

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
export function takeBackTurns(entries: readonly JournalEntry[], count: number): readonly JournalEntry[] {
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
