import type { ItemMaker, ResponseItem, ItemForm } from "@unroll/protocol";

/** An item, and who made it. */
export interface MadeItem {
  readonly item: ResponseItem;
  /** Null: the server that it is sent to, or nobody's model. */
  readonly maker: ItemMaker | null;
}

/** An id of ours that is free in the conversation, for servers that want one of what is not their own. `prefix`: `msg`, `rs`. */
export type NewId = (prefix: string) => string;

/** The kind of an item, for the order of a thread. */
export type WireKind = "user" | "assistant" | "reasoning" | "call" | "output" | "other";

/** One item in a request. */
export interface WireItem {
  readonly kind: WireKind;
  readonly json: string;
  /**
   * For a message, its content between the brackets; null: it is not one, and nothing can be joined
   * to it.
   */
  readonly parts: string | null;
}

/** A message with its content last, so that another one can be joined to it. */
export function toMessageWire(
  kind: "user" | "assistant",
  fields: Readonly<Record<string, unknown>>,
  content: readonly object[],
): WireItem {
  const parts = content.map((part) => JSON.stringify(part)).join(",");
  return { kind, json: `${JSON.stringify(fields).slice(0, -1)},"content":[${parts}]}`, parts };
}

/** An item other than a message. */
export function toItemWire(kind: WireKind, fields: object): WireItem {
  return { kind, json: JSON.stringify(fields), parts: null };
}

/**
 * The JSON by which an item is sent as it came: fields in the order in which they came, those that we do not know too; an unknown item
 * as exactly the text that came.
 */
export function encodeItem(item: ResponseItem, { ids }: Pick<ItemForm, "ids">): string {
  if (item.type === "unknown") return item.json;
  return JSON.stringify(ids === "kept" ? item : withoutId(item));
}

/** An item without its id, which only the server that gave it can look up. */
export function withoutId(item: Exclude<ResponseItem, { readonly type: "unknown" }>): object {
  if (!("id" in item)) return item;
  const { id: _, ...rest } = item;
  return rest;
}

type Fields = Readonly<Record<string, unknown>>;

/** An object without the members that are null, within others too: a few servers read one as a wrong value. */
export function withoutNulls(value: object): Fields {
  const kept = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(kept.map(([name, member]) => [name, clean(member)]));
}

function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clean);
  return typeof value === "object" && value !== null ? withoutNulls(value) : value;
}
