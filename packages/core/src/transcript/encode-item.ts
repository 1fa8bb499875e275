import type { ResponseItem } from "@unroll/protocol";

/**
 * `dropped`: items are sent without their `id`; with `store: false` the server keeps nothing that an id could point to.
 * `kept`: for servers that store items (Azure).
 */
export type ItemIds = "dropped" | "kept";

const encoder = new TextEncoder();

/**
 * The bytes by which an item is sent in `input[]`, for ever after. Fields stay in the order in which they came, fields
 * that we do not know included; an unknown item is sent as exactly the bytes that came.
 */
export function encodeItem(item: ResponseItem, ids: ItemIds): Uint8Array {
  if (item.type === "unknown") return encoder.encode(item.json);
  return encoder.encode(JSON.stringify(ids === "kept" ? item : withoutId(item)));
}

function withoutId(item: Exclude<ResponseItem, { type: "unknown" }>): object {
  if (!("id" in item)) return item;
  const { id: _, ...rest } = item;
  return rest;
}
