import type { ResponseItem } from "@unroll/protocol";
import { shortenText } from "@unroll/text";

/** The limit for a call and for its output. */
const shownCharacters = 200;

/** An item as people read it, one line each. */
export function renderItem(item: ResponseItem): readonly string[] {
  switch (item.type) {
    case "message": {
      const text = item.content.map((part) => ("text" in part ? part.text : `[${part.type}]`)).join("");
      return [item.role === "assistant" ? `• ${text}` : `${item.role}> ${text}`];
    }
    case "function_call":
      return [`$ ${item.name} ${toShort(item.arguments)}`];
    case "custom_tool_call":
      return [`$ ${item.name} ${toShort(item.input)}`];
    case "function_call_output":
    case "custom_tool_call_output":
      return [`  ${toShort(typeof item.output === "string" ? item.output : "[images]")}`];
    case "web_search_call":
      return [`$ web search ${toShort(item.action?.query ?? "")}`];
    case "reasoning":
    case "compaction":
    case "unknown":
      return [];
  }
}

function toShort(text: string): string {
  return shortenText(text.trim().replaceAll(/\s+/g, " "), shownCharacters);
}
