import type { JournalEntry, SentItem } from "./journal.ts";

/** The items of the open epoch, after these entries of a journal from its beginning. */
export function listLiveItems(entries: readonly JournalEntry[]): readonly SentItem[] {
  const before: { readonly items: readonly SentItem[]; readonly length: number }[] = [];
  let live: SentItem[] = [];
  for (const entry of entries) {
    if (entry.type === "item") live.push(entry.item);
    else if (entry.type === "epoch") {
      if (entry.isFinal) before.length = 0;
      else before.push({ items: live, length: entry.items.length });
      live = [...entry.items];
    } else if (entry.type === "epoch.undone") {
      const returned = before.pop();
      if (returned !== undefined) live = [...returned.items, ...(entry.added ?? live.slice(returned.length))];
    }
  }
  return live;
}
