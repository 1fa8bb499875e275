import type { ItemForm, ResponseItem } from "@unroll/protocol";

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
