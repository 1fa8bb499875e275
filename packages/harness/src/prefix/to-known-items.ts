import type { ResponseItem, ServerFeatures } from "@unroll/protocol";

export type KnownItems = Pick<ServerFeatures, "customTools" | "webSearch">;

/**
 * What another provider made, as one that knows less takes it: calls of freeform tools become those of functions, whose form of
 * the same tools has the text as `input`; searches that the other one ran are left out.
 */
export function toKnownItems(items: readonly ResponseItem[], known: KnownItems): readonly ResponseItem[] {
  const kept = known.webSearch ? items : items.filter(({ type }) => type !== "web_search_call");
  return known.customTools ? kept : kept.map(toFunctionItem);
}

function toFunctionItem(item: ResponseItem): ResponseItem {
  if (item.type === "custom_tool_call") {
    const { call_id, name, input } = item;
    return { type: "function_call", call_id, name, arguments: JSON.stringify({ input }) };
  }
  return item.type === "custom_tool_call_output" ? { ...item, type: "function_call_output" } : item;
}
