import type { ResponseItem, ToolCallItem, ToolOutputItem } from "./response-item.ts";

/** Whether the model asks for one of our tools by this item. */
export function isToolCall(item: ResponseItem): item is ToolCallItem {
  return item.type === "function_call" || item.type === "custom_tool_call";
}

/** Whether it is the output of such a call. */
export function isToolOutput(item: ResponseItem): item is ToolOutputItem {
  return item.type === "function_call_output" || item.type === "custom_tool_call_output";
}

/** An output of the call's own kind. */
export function toToolOutput(call: ToolCallItem, output: ToolOutputItem["output"]): ToolOutputItem {
  return call.type === "function_call"
    ? { type: "function_call_output", call_id: call.call_id, output }
    : { type: "custom_tool_call_output", call_id: call.call_id, output };
}
