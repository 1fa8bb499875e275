import { type MessageItem, readAuthor, type ResponseItem } from "@unroll/protocol";

/** Items that belong together: a response of the model with all outputs of its calls, or a single message. */
export interface ItemGroup {
  readonly type: "step" | "message";
  readonly items: readonly ResponseItem[];
}

/** In order, nothing left out: joined again they are the items. No group ends between a call and its output. */
export function splitGroups(items: readonly ResponseItem[]): readonly ItemGroup[] {
  const groups: { type: ItemGroup["type"]; items: ResponseItem[] }[] = [];
  const open = new Set<string>();
  let before: Part = "message";
  for (const item of items) {
    const part = toPart(item);
    const group = groups.at(-1);
    const goesOn = open.size > 0 || part === "output" || (part === "model" && before === "model");
    if (group?.type === "step" && goesOn) group.items.push(item);
    else groups.push({ type: part === "message" ? "message" : "step", items: [item] });
    trackCall(item, open);
    before = part;
  }
  return groups;
}

/** `output`: of the harness, to what the model did. */
type Part = "model" | "output" | "message";

function trackCall(item: ResponseItem, open: Set<string>): void {
  if (item.type === "function_call" || item.type === "custom_tool_call") open.add(item.call_id);
  if (item.type === "function_call_output" || item.type === "custom_tool_call_output") open.delete(item.call_id);
}

function toPart(item: ResponseItem): Part {
  switch (item.type) {
    case "message":
      if (item.role === "assistant") return "model";
      return isFollowUp(item) ? "output" : "message";
    case "function_call_output":
    case "custom_tool_call_output":
      return "output";
    case "compaction":
      return "message";
    case "function_call":
    case "custom_tool_call":
    case "reasoning":
    case "web_search_call":
    case "unknown":
      return "model";
  }
}

/** An image that a tool loaded. */
function isFollowUp(message: MessageItem): boolean {
  return readAuthor(message).type === "tool";
}
