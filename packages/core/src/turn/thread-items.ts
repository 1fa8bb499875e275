import type { ResponseItem, ThreadItem } from "@unroll/protocol";

/**
 * Converts an item of the model for programs; null if there is nothing to show, or if the tool of
 * the call shows it. `takeId` is called only if there is something to show.
 */
export function toThreadItem(item: ResponseItem, takeId: () => string): ThreadItem | null {
  // a server may complete an item before it says that the answer is not whole
  const cut = "status" in item && item.status === "incomplete" ? { cut: "incomplete" as const } : {};
  switch (item.type) {
    case "message":
      if (item.role !== "assistant") return null;
      return { id: takeId(), type: "agent_message", text: textOf(item.content), ...cut };
    case "reasoning": {
      const parts = item.summary.length > 0 ? item.summary : (item.content ?? []);
      const text = parts.map((part) => part.text).join("\n\n");
      return text === "" ? null : { id: takeId(), type: "reasoning", text, ...cut };
    }
    case "web_search_call": {
      const { query, url } = item.action ?? {};
      const status = item.status === "failed" ? "failed" : "completed";
      return { id: takeId(), type: "web_search", query: query ?? url ?? "", action: item.action ?? null, status };
    }
    case "function_call":
    case "custom_tool_call":
    case "function_call_output":
    case "custom_tool_call_output":
    case "compaction":
    case "unknown":
      return null;
  }
}

/** The text of the last message of the model among these, null where there is none. */
export function lastMessageText(items: readonly ResponseItem[]): string | null {
  const message = items.findLast((item) => item.type === "message" && item.role === "assistant");
  return message?.type === "message" ? textOf(message.content) : null;
}

function textOf(content: Extract<ResponseItem, { type: "message" }>["content"]): string {
  return content
    .map((part) => (part.type === "output_text" ? part.text : part.type === "refusal" ? part.refusal : ""))
    .join("");
}
