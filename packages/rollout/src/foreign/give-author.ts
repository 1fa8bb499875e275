import { itemAuthor, type JournalEntry, type SentItem, withAuthor } from "@unroll/protocol";
import { readCodexAuthor } from "./codex/read-author.ts";
import { readOldAuthor } from "./unroll-0-1/read-author.ts";

/** Says who wrote the messages whose lines do not: the Codex CLI and unroll 0.1 kept them without their author. */
export function giveAuthors(entry: JournalEntry): JournalEntry {
  if (entry.type === "item") return { ...entry, item: giveAuthor(entry.item) };
  if (entry.type === "epoch") return { ...entry, items: entry.items.map(giveAuthor) };
  if (entry.type === "epoch.undone" && entry.added) return { ...entry, added: entry.added.map(giveAuthor) };
  return entry;
}

function giveAuthor(sent: SentItem): SentItem {
  const { item } = sent;
  if (item.type !== "message" || item.role === "assistant" || item[itemAuthor] !== undefined) return sent;
  return { ...sent, item: withAuthor(item, readOldAuthor(item) ?? readCodexAuthor(item)) };
}
