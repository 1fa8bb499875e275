import type { ItemMaker, ResponseItem } from "@unroll/protocol";

/** An item, and who made it. */
export interface MadeItem {
  readonly item: ResponseItem;
  /** Null: the server that it is sent to, or nobody's model. */
  readonly maker: ItemMaker | null;
}

/** An id of ours that is free in the conversation, for servers that want one of what is not their own. `prefix`: `msg`, `rs`. */
export type NewId = (prefix: string) => string;

/** What an item is for the order of a conversation. */
export type WireKind = "user" | "assistant" | "reasoning" | "call" | "output" | "other";

/** One item as it stands in a request. */
export interface WireItem {
  readonly kind: WireKind;
  readonly json: string;
  /** Of a message, its content as it stands between the brackets; null: it is none, and nothing can be joined to it. */
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

/** An item that is no message. */
export function toItemWire(kind: WireKind, fields: object): WireItem {
  return { kind, json: JSON.stringify(fields), parts: null };
}
