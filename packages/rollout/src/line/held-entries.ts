import { isToolCall, isToolOutput, type JournalEntry } from "@unroll/protocol";

/** Has what was shown of calls wait for what the model is given of them: it is written down behind that, which holds most of it. */
export interface HeldEntries {
  /** What is to be written now, in order. */
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
          const waits = held.length > 0 || (entry.type === "item.ended" && isOfOpenCall(entry));
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

  function isOfOpenCall({ item }: Extract<JournalEntry, { readonly type: "item.ended" }>): boolean {
    return "call_id" in item && open.has(item.call_id);
  }
}
