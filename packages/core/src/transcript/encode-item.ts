import type { ResponseItem } from "@unroll/protocol";

const encoder = new TextEncoder();

/**
 * The bytes by which an item is sent in `input[]`, for ever after. Fields stay in the order in which they came, fields
 * that we do not know included; an unknown item is sent as exactly the bytes that came. `id` is left out: with
 * `store: false` the server keeps no items to which an id could point.
 */
export function encodeItem(item: ResponseItem): Uint8Array {
  return encoder.encode(item.type === "unknown" ? item.json : JSON.stringify(withoutId(item)));
}

function withoutId(item: Exclude<ResponseItem, { type: "unknown" }>): object {
  if (!("id" in item)) return item;
  const { id: _, ...rest } = item;
  return rest;
}
