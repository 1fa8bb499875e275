import { isKnownItem, type ResponseItem } from "@unroll/protocol";

/**
 * An item of a response: as it was parsed where its type and all its parts are known, no field lost; else an
 * `UnknownItem` of its text, which `readText` gives. Null where `value` is not an object.
 */
export function decodeItem(value: unknown, readText: () => string | null): ResponseItem | null {
  if (isKnownItem(value)) return value; // and not the schema's copy of it, which has its fields in another order
  const json = readText();
  if (typeof value !== "object" || value === null || json === null) return null;
  const itemType = "type" in value && typeof value.type === "string" ? value.type : "";
  return { type: "unknown", itemType, json };
}

/** An item that another library gives (a `ResponseInputItem` or `ResponseOutputItem` of `openai`) as one of ours. */
export function toResponseItem(item: object): ResponseItem {
  const json = JSON.stringify(item);
  return decodeItem(item, () => json) ?? { type: "unknown", itemType: "", json };
}
