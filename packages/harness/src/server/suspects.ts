import type { Refusal, ResponseItem } from "@unroll/protocol";

export function hasImage(item: ResponseItem): boolean {
  const parts = "content" in item ? item.content : "output" in item ? item.output : null;
  return Array.isArray(parts) && parts.some((part: { readonly type: string }) => part.type === "input_image");
}

/** Whether the arguments of a call are invalid JSON. */
export function isCutCall(item: ResponseItem): boolean {
  if (item.type !== "function_call") return false;
  try {
    JSON.parse(item.arguments);
    return false;
  } catch {
    return true;
  }
}

/** Whether it is reasoning that only its server can read. */
export function isSealed(item: ResponseItem): boolean {
  return item.type === "reasoning" && typeof item.encrypted_content === "string" && item.encrypted_content !== "";
}

/** So many are named, the last ones. */
const mostNamed = 3;

/**
 * Which items of a conversation a server may have refused, in one sentence: those of the kind that it names, else those that no request
 * was answered with. Empty: nobody can say.
 */
export function nameSuspects(refusal: Refusal, items: readonly ResponseItem[], answered: number): string {
  const found = listSuspects(refusal, items, answered);
  if (found.length === 0) return "";
  const names = found
    .slice(-mostNamed)
    .flatMap((place) => items.slice(place, place + 1).map((item) => nameItem(item, place)));
  const more = found.length > mostNamed ? `${found.length - mostNamed} earlier ones, ` : "";
  return `It is about ${found.length === 1 ? "" : "one of "}${more}${names.join(", ")}.`;
}

function listSuspects(refusal: Refusal, items: readonly ResponseItem[], answered: number): readonly number[] {
  const kind = refusal.type === "content" ? refusal.kind : null;
  const test = kind === "image" ? hasImage : kind === "arguments" ? isCutCall : null;
  const places = [...items.keys()];
  if (test !== null) return places.filter((place) => items.slice(place, place + 1).some(test));
  return answered === 0 ? [] : places.slice(answered);
}

function nameItem(item: ResponseItem, place: number): string {
  const number = `item ${place + 1}`;
  switch (item.type) {
    case "message":
      return `${number} (a message of the ${item.role})`;
    case "function_call":
    case "custom_tool_call":
      return `${number} (the call ${item.call_id} of ${item.name})`;
    case "function_call_output":
    case "custom_tool_call_output":
      return `${number} (the output of the call ${item.call_id})`;
    case "reasoning":
    case "web_search_call":
    case "compaction":
    case "unknown":
      return `${number} (${item.type})`;
  }
}
