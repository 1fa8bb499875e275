import { callFault, type ToolCallItem } from "@unroll/protocol";
import type { PreparedCall } from "../tool/tool.ts";
import { checkPrepared } from "./check-tool.ts";
import type { ToolRegistry } from "./create-tool-registry.ts";

/** Finds the tool of a call and reads its payload. Never throws: a tool that does becomes a call that fails. */
export async function prepareCall(registry: ToolRegistry, call: ToolCallItem): Promise<PreparedCall> {
  const fault = call[callFault];
  if (fault !== undefined) return { type: "call.rejected", message: `The call was not run. ${fault}` };
  const tool = registry.callable.get(call.name);
  if (!tool) {
    const names = [...registry.callable.keys()].join(", ") || "none";
    return { type: "call.rejected", message: `unsupported call: ${call.name}\nThe tools you can call are: ${names}.` };
  }
  if (tool.spec.type === "custom" && call.type === "function_call") {
    return {
      type: "call.rejected",
      message: `The call was not run. ${call.name} is a custom tool: its input is plain text, not JSON arguments.`,
    };
  }
  if (tool.spec.type === "function" && call.type === "custom_tool_call") {
    return {
      type: "call.rejected",
      message: `The call was not run. ${call.name} is a function: it takes JSON arguments, not plain text.`,
    };
  }
  try {
    return checkPrepared(await tool.prepare(call.type === "function_call" ? call.arguments : call.input));
  } catch (error) {
    return { type: "call.ready", concurrency: "exclusive", plan: () => Promise.reject(error) };
  }
}
