import { isToolCall, isToolOutput, type JournalEntry, type StoredEvent } from "@unroll/protocol";

/** Holds what was shown of a call until its output was written: the output has most of the same text. */
export interface HeldEntries {
  /** The entries to write now, in order. */
  take(entry: JournalEntry): readonly JournalEntry[];
}

export function createHeldEntries(): HeldEntries {
  const open = new Set<string>();
  let held: JournalEntry[] = [];

  function release(): readonly JournalEntry[] {
    const released = held;
    held = [];
    return released;
  }

  return {
    take(entry) {
      if (entry.type === "item") {
        const { item } = entry.item;
        if (isToolCall(item)) open.add(item.call_id);
        if (isToolOutput(item)) open.delete(item.call_id);
        return open.size === 0 ? [entry, ...release()] : [entry];
      }
      if (entry.type === "item.ended" || entry.type === "told") {
        if (held.length === 0 && !isOfOpenCall(entry.type === "told" ? entry.event : entry)) return [entry];
        held.push(entry);
        return [];
      }
      if (!boundaries.includes(entry.type)) return [entry];
      open.clear();
      return [...release(), entry];
    },
  };

  function isOfOpenCall(shown: StoredEvent | Extract<JournalEntry, { readonly type: "item.ended" }>): boolean {
    return "item" in shown && "call_id" in shown.item && open.has(shown.item.call_id);
  }
}

/** No call is still running after one of these. */
const boundaries: readonly JournalEntry["type"][] = [
  "epoch",
  "epoch.undone",
  "thread.rewound",
  "turn.started",
  "turn.ended",
];
