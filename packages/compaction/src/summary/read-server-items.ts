import type { ResponseItem } from "@unroll/protocol";

/**
 * What of a server's shortened conversation stands for what was taken out: its sealed items; where it sent none, what it
 * said that is not in the conversation already. Empty: nothing does.
 */
export function readServerItems(
  output: readonly ResponseItem[],
  known: readonly ResponseItem[],
): readonly ResponseItem[] {
  const sealed = output.filter(({ type }) => type === "compaction" || type === "unknown");
  if (sealed.length > 0) return sealed;
  const texts = new Set(known.map(toText));
  return output.filter((item) => item.type === "message" && isSaying(item.role) && !texts.has(toText(item)));
}

function isSaying(role: string): boolean {
  return role === "user" || role === "assistant";
}

/** Servers add ids and states to what they repeat. */
function toText(item: ResponseItem): string {
  return item.type === "message"
    ? JSON.stringify([item.role, item.content.map((part) => ("text" in part ? part.text : part))])
    : "";
}
