import { type JournalEntry, noTokenUsage } from "@unroll/protocol";

/** An entry of a thread as a fork of it begins with it: what the other one used is counted there. */
export function inheritEntry(entry: JournalEntry, threadId: string): JournalEntry {
  switch (entry.type) {
    case "thread.opened":
      return { ...entry, threadId };
    case "request":
      return { ...entry, request: { ...entry.request, isInherited: true } };
    case "turn.ended":
      return { ...entry, outcome: { ...entry.outcome, usage: noTokenUsage } };
    case "settings":
    case "item":
    case "epoch":
    case "epoch.undone":
    case "note":
    case "turn.started":
    case "items.reserved":
      return entry;
  }
}
