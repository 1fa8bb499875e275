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
      switch (entry.type) {
        case "item": {
          const { item } = entry.item;
          if (isToolCall(item)) open.add(item.call_id);
          if (isToolOutput(item)) open.delete(item.call_id);
          return open.size === 0 ? [entry, ...release()] : [entry];
        }
        case "item.ended":
        case "told": {
          const waits = held.length > 0 || isOfOpenCall(entry.type === "told" ? entry.event : entry);
          if (!waits) return [entry];
          held.push(entry);
          return [];
        }
        case "epoch":
        case "epoch.undone":
        case "thread.rewound":
        case "turn.started":
        case "turn.ended":
          open.clear();
          return [...release(), entry];
        case "thread.opened":
        case "settings":
        case "request":
        case "note":
        case "items.reserved":
          return [entry];
      }
    },
  };

  function isOfOpenCall(shown: StoredEvent | Extract<JournalEntry, { readonly type: "item.ended" }>): boolean {
    return "item" in shown && "call_id" in shown.item && open.has(shown.item.call_id);
  }
}
