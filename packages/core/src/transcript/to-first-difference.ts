import type { FirstDifference, ResponseItem } from "@unroll/protocol";

/** The item at a place where the ones before differ from what was. */
export function toFirstDifference(items: readonly ResponseItem[], index: number): FirstDifference {
  const item = items[index];
  return { index, type: item === undefined ? "end" : item.type === "unknown" ? item.itemType : item.type };
}
