import type { ResponseItem } from "@unroll/protocol";

/**
 * What of a server's compacted conversation stands for what was taken out: all of it, in its order, but copies of messages of
 * the user and the harness, which stay where they are or were left out on purpose. Empty: it holds nothing new.
 */
export function readServerItems(
  output: readonly ResponseItem[],
  known: readonly ResponseItem[],
): readonly ResponseItem[] {
  const isCopy = createCopyTest(known);
  const items = output.filter((item) => !isOwnMessage(item) || !isCopy(item));
  return items.every(isCopy) ? [] : items;
}

/** Tells what the same conversation holds already, whatever ids and states a server adds to what it repeats. */
export function createCopyTest(known: readonly ResponseItem[]): (item: ResponseItem) => boolean {
  const keys = new Set(known.map(toKey));
  return (item) => keys.has(toKey(item));
}

function isOwnMessage(item: ResponseItem): boolean {
  return item.type === "message" && item.role !== "assistant";
}

function toKey(item: ResponseItem): string {
  if (item.type === "message")
    return JSON.stringify([item.role, item.content.map((part) => ("text" in part ? part.text : part))]);
  if ("call_id" in item) return JSON.stringify([item.type, item.call_id]);
  return JSON.stringify({ ...item, id: null, status: null });
}
