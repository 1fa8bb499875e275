import { type JournalEntry, noTokenUsage } from "@unroll/protocol";

const ownNotes: readonly string[] = ["spent", "name", "waiting"];

/** What a fork begins with of an entry: what the other thread used and spent is counted there, its name is its own, and what waits is said there. */
export function inheritEntry(entry: JournalEntry, threadId: string): readonly JournalEntry[] {
  switch (entry.type) {
    case "thread.opened":
      return [{ ...entry, threadId }];
    case "request":
      return [{ ...entry, request: { ...entry.request, isInherited: true } }];
    case "turn.ended":
      return [{ ...entry, outcome: { ...entry.outcome, usage: noTokenUsage } }];
    case "note":
      return ownNotes.includes(entry.key) ? [] : [entry];
    case "settings":
    case "item":
    case "item.ended":
    case "told":
    case "thread.rewound":
    case "epoch":
    case "epoch.undone":
    case "turn.started":
    case "items.reserved":
      return [entry];
  }
}
