import { type JournalEntry, noTokenUsage } from "@unroll/protocol";

/** What a fork begins with of an entry: what the other thread used and spent is counted there, and its name is its own. */
export function inheritEntry(entry: JournalEntry, threadId: string): readonly JournalEntry[] {
  switch (entry.type) {
    case "thread.opened":
      return [{ ...entry, threadId }];
    case "request":
      return [{ ...entry, request: { ...entry.request, isInherited: true } }];
    case "turn.ended":
      return [{ ...entry, outcome: { ...entry.outcome, usage: noTokenUsage } }];
    case "note":
      return entry.key === "spent" || entry.key === "name" ? [] : [entry];
    case "settings":
    case "item":
    case "epoch":
    case "epoch.undone":
    case "turn.started":
    case "items.reserved":
      return [entry];
  }
}
