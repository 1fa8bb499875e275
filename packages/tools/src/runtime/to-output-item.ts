import type { ContentPart, ToolCallItem, ToolOutputItem } from "@unroll/protocol";
import { byteLength, capText } from "../output/cap-text.ts";
import type { ToolResult } from "../tool/tool.ts";

/** The one output of a call; its text, all parts together, is at most `maxBytes`. */
export function toOutputItem(call: ToolCallItem, output: ToolResult["output"], maxBytes: number): ToolOutputItem {
  return {
    type: call.type === "function_call" ? "function_call_output" : "custom_tool_call_output",
    call_id: call.call_id,
    output: typeof output === "string" ? capText(output, maxBytes) : capParts(output, maxBytes),
  };
}

function capParts(parts: readonly ContentPart[], maxBytes: number): readonly ContentPart[] {
  let left = maxBytes;
  return parts.map((part) => {
    if (!("text" in part)) return part;
    const text = capText(part.text, left);
    left -= byteLength(text);
    return { ...part, text };
  });
}
