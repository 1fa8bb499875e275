import type { JournalEntry, ThreadNoteValues } from "@unroll/protocol";

/** A note of a thread that is not open; null: it has none of this name. */
export function readNote<Key extends keyof ThreadNoteValues>(
  entries: readonly JournalEntry[],
  key: Key,
): ThreadNoteValues[Key] | null {
  const noted = entries.findLast((entry) => entry.type === "note" && entry.key === key);
  return noted?.type === "note" ? (noted.value as ThreadNoteValues[Key]) : null;
}
