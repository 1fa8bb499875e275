import { isKnownItem } from "../item/known-item-schema.ts";
import type { ItemMaker } from "../item/item-form.ts";
import type { ItemAuthor, ResponseItem } from "../item/response-item.ts";
import { type JsonFields, parseFields, toFields } from "../json-fields.ts";
import { parseRequestHead } from "../request/parse-request-head.ts";
import { readAuthor, withAuthor } from "./item-author.ts";
import type { JournalEntry, LoweredItem, SentItem } from "./journal.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An item as JSON has it: its text, how it was sent where that is another thing, and its maker. */
export interface StoredItem {
  readonly item: string;
  readonly sent?: LoweredItem & { readonly text: string };
  readonly maker?: ItemMaker;
  /** The author of a message: you, the harness or a tool. */
  readonly author?: ItemAuthor;
}

/** An entry as one line of JSON, for stores that keep text. Bytes that are sent go into it as the texts that they are. */
export function encodeJournalEntry(entry: JournalEntry): string {
  return JSON.stringify({ ...entry, ...encodeMembers(entry) });
}

/** Encodes the members that are not plain data. */
function encodeMembers(entry: JournalEntry): object {
  if (entry.type === "thread.opened") return { head: entry.head === null ? null : decoder.decode(entry.head.bytes) };
  if (entry.type === "item") return { item: encodeSentItem(entry.item) };
  if (entry.type === "epoch") return { items: entry.items.map(encodeSentItem) };
  if (entry.type === "epoch.undone" && entry.added) return { added: entry.added.map(encodeSentItem) };
  if (entry.type === "note" && entry.key === "waiting" && Array.isArray(entry.value))
    return { authors: entry.value.map(readAuthor) };
  return {};
}

/** As a record, so that a new type does not compile before it is read. */
const types: Readonly<Record<JournalEntry["type"], true>> = {
  "thread.opened": true,
  settings: true,
  item: true,
  request: true,
  "usage.counted": true,
  "agent.started": true,
  "item.ended": true,
  told: true,
  "call.asked": true,
  "call.started": true,
  "thread.rewound": true,
  epoch: true,
  "epoch.undone": true,
  note: true,
  "turn.started": true,
  "items.reserved": true,
  "turn.ended": true,
};

/**
 * Parses the result of `encodeJournalEntry`. Null: it is damaged, or a later version wrote it; a
 * store must not continue a thread without it.
 */
export function parseJournalEntry(text: string): JournalEntry | null {
  return parseEntryData(parseFields(text));
}

/** The same of the data that the text has. */
export function parseEntryData(entry: JsonFields | null): JournalEntry | null {
  if (entry === null || typeof entry["type"] !== "string" || !Object.hasOwn(types, entry["type"])) return null;
  switch (entry["type"]) {
    case "thread.opened": {
      const { head } = entry;
      const parsed = typeof head === "string" ? parseRequestHead(encoder.encode(head)) : null;
      return head !== null && parsed === null ? null : ({ ...entry, head: parsed } as JournalEntry);
    }
    case "item":
      return withItem(entry);
    case "epoch":
      return withItems(entry, "items");
    case "epoch.undone":
      return "added" in entry ? withItems(entry, "added") : (entry as unknown as JournalEntry);
    case "note":
      return "value" in entry ? withAuthors(entry) : null;
  }
  return entry as unknown as JournalEntry;
}

function withItem(entry: JsonFields): JournalEntry | null {
  const item = parseSentItem(entry["item"]);
  return item === null ? null : ({ ...entry, item } as unknown as JournalEntry);
}

function withItems(entry: JsonFields, key: "items" | "added"): JournalEntry | null {
  const kept = entry[key];
  const items = Array.isArray(kept) ? kept.map(parseSentItem) : [null];
  return items.includes(null) ? null : ({ ...entry, [key]: items } as unknown as JournalEntry);
}

function withAuthors({ authors, ...note }: JsonFields): JournalEntry {
  const { value } = note;
  const isAuthored = Array.isArray(value) && Array.isArray(authors);
  const own = isAuthored ? value.map((item: ResponseItem, at) => parseAuthor(item, authors[at])) : value;
  return { ...note, value: own } as unknown as JournalEntry;
}

/** An item with how it was sent, as plain data. */
export function encodeSentItem({ item, bytes, lowered, maker }: SentItem): StoredItem {
  const text =
    lowered === undefined ? decoder.decode(bytes) : item.type === "unknown" ? item.json : JSON.stringify(item);
  return {
    item: text,
    ...(lowered && { sent: { text: decoder.decode(bytes), ...lowered } }),
    ...(maker && { maker }),
    ...(item.type === "message" && item.role !== "assistant" && { author: readAuthor(item) }),
  };
}

/**
 * Parses the result of `encodeSentItem`. Null: it is not an item. If the form of sending cannot be
 * read, the item is sent unchanged.
 */
export function parseSentItem(kept: unknown): SentItem | null {
  const { item, sent, maker, author } = toFields(kept);
  const value = typeof item === "string" ? parseFields(item) : null;
  if (value === null) return null;
  const { text, joins, ours } = toFields(sent);
  const isLowered = typeof text === "string" && typeof joins === "boolean" && typeof ours === "number";
  const { provider, model } = toFields(maker);
  const isMade = typeof provider === "string" && typeof model === "string";
  return {
    item: parseAuthor(toItem(value, String(item)), author),
    bytes: encoder.encode(isLowered ? text : String(item)),
    ...(isLowered && { lowered: { joins, ours } }),
    ...(isMade && { maker: { provider, model } }),
  };
}

/** The item with its author of plain data; without one if the data names none that is known. */
function parseAuthor(item: ResponseItem, author: unknown): ResponseItem {
  if (item.type !== "message") return item;
  const { type, parts, fragment, from } = toFields(author);
  if (type === "tool") return withAuthor(item, { type });
  if (type === "harness" && typeof fragment === "string") return withAuthor(item, { type, fragment });
  if (type !== "user" || !Array.isArray(parts)) return item;
  const indices = parts.filter((part) => typeof part === "number");
  return withAuthor(item, { type, parts: indices, ...(from === "agent" && { from }) });
}

/** The value itself and not the schema's copy of it, which has its fields in another order. */
function toItem(value: JsonFields, json: string): ResponseItem {
  if (isKnownItem(value)) return value;
  return { type: "unknown", itemType: typeof value["type"] === "string" ? value["type"] : "", json };
}
