import { isCall } from "../decode/mend-call.ts";
import type { Fields, TextType, WireItem, WrittenItem } from "../decode/wire-event.ts";

/** One item of an answer, as far as it came. */
export interface StreamedItem {
  /** Its place in the answer, by first appearance. */
  readonly number: number;
  /** As the server has it. */
  readonly type: string;
  /** The ids in its events. */
  readonly ids: Set<string>;
  /** Two events called it by the same id: another id is another item. */
  hasSteadyId: boolean;
  /** The server's `output_index`; null: it gave none. */
  index: number | null;
  callId: string | null;
  name: string | null;
  readonly parts: TextPart[];
  /** As it was announced; null: it was not. */
  began: WrittenItem | null;
  /** As the server says that it is whole; null: it did not say so. */
  ended: WrittenItem | null;
}

/** A text of an item. */
export interface TextPart {
  readonly item: StreamedItem;
  readonly type: TextType;
  /** The index of a part of a reasoning summary; null: not given. */
  summaryIndex: number | null;
  text: string;
}

/** An event's facts about its item. */
export interface Clue {
  readonly type: string;
  readonly id: string | null;
  readonly index: number | null;
  readonly callId: string | null;
  readonly name: string | null;
}

/** Each event may have to be compared with all of them. */
const mostItems = 2048;

/** Whether there are more items than any answer has. */
export function isFull(items: readonly StreamedItem[]): boolean {
  return items.length > mostItems;
}

/** If all events of an item have different ids, later ones are not remembered. */
const mostIds = 16;

/** The item that was found, with what an event says of it; a new one, behind the others, where none was. */
export function keepItem(items: StreamedItem[], found: StreamedItem | null, clue: Clue): StreamedItem {
  const { id, index, callId, name } = clue;
  if (found === null) {
    const ids = new Set(id === null ? [] : [id]);
    const empty = { ids, hasSteadyId: false, parts: [], began: null, ended: null };
    const item: StreamedItem = { number: items.length, type: clue.type, index, callId, name, ...empty };
    items.push(item);
    return item;
  }
  if (id !== null && found.ids.has(id)) found.hasSteadyId = true;
  else if (id !== null && found.ids.size < mostIds) found.ids.add(id);
  found.index = index ?? found.index;
  found.callId ??= callId;
  found.name ??= name;
  return found;
}

/** How events of ours name an item. */
export function placeOf({ ids, number }: StreamedItem): { readonly item_id: string; readonly output_index: number } {
  const [id = ""] = ids;
  return { item_id: id, output_index: number };
}

/** `fields`: an event about a text. */
export function toTextClue(type: string, fields: Fields): Clue {
  const { item_id: id, output_index: index, name } = fields;
  return { type, id: toName(id), index: toIndex(index), callId: null, name: toName(name) };
}

export function toItemClue({ item, fields }: Pick<WireItem, "item" | "fields">): Clue {
  const { type, id, item_id: itemId, call_id: callId, name } = item.value;
  return {
    type: String(type),
    // some servers write the members of the event into the item
    id: toName(id) ?? toName(itemId) ?? toName(fields["item_id"]),
    index: toIndex(fields["output_index"]),
    callId: toName(callId),
    name: toName(name),
  };
}

/** Whether both may be the same item: a message and a call share an index, at some servers even an id. */
export function isAlike({ type }: Pick<Clue, "type">, other: Pick<Clue, "type">): boolean {
  return type === other.type || (isCall({ type }) && isCall({ type: other.type }));
}

function toName(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function toIndex(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
