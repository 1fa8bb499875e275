import type { JournalEntry, SentItem } from "@unroll/protocol";

/** The Codex CLI (0.169) keeps its own data on each item in this field. */
const ownNotes = "internal_chat_message_metadata_passthrough";
const encoder = new TextEncoder();

/**
 * Takes from the items of the Codex CLI what only that sends: its notes, and ids of a server that keeps nothing. The bytes
 * are the same whenever the file is read. Any other entry is given back as it is.
 */
export function toSendable(entry: JournalEntry): JournalEntry {
  if (entry.type === "item") return { ...entry, item: cleanItem(entry.item) };
  if (entry.type === "epoch") return { ...entry, items: entry.items.map(cleanItem) };
  return entry;
}

function cleanItem(sent: SentItem): SentItem {
  const { item } = sent;
  if (!(ownNotes in item)) return sent;
  const { [ownNotes]: _notes, ...rest } = item;
  if (!("id" in rest)) return encode(rest);
  const { id: _id, ...sendable } = rest;
  return encode(sendable);
}

function encode(item: SentItem["item"]): SentItem {
  return { item, bytes: encoder.encode(JSON.stringify(item)) };
}
