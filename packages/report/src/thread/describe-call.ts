import type { EndedCall, ToolCallItem } from "@unroll/protocol";
import { parseArguments } from "./parse-arguments.ts";

/** A call as it is shown. `text`: the command or patch where it is one, else the arguments. */
export interface ShownCall {
  readonly tool: string;
  readonly form: "command" | "patch" | "arguments";
  readonly text: string;
}

export function describeCall(call: ToolCallItem): ShownCall {
  const tool = call.name;
  if (call.type === "custom_tool_call")
    return { tool, form: isPatch(call.input) ? "patch" : "arguments", text: call.input };
  const fields = parseArguments(call.arguments);
  if (fields === null) return { tool, form: "arguments", text: call.arguments };
  const [command, patch] = [fields["command"] ?? fields["cmd"], fields["input"]];
  if (typeof patch === "string" && isPatch(patch)) return { tool, form: "patch", text: patch };
  if (typeof command === "string") return { tool, form: "command", text: command };
  if (Array.isArray(command)) return { tool, form: "command", text: command.map(String).join(" ") };
  return { tool, form: "arguments", text: JSON.stringify(fields, null, 2) };
}

/** What its output need not say; null: it did what was asked, or that was not written down. */
export function describeCallEnd(ended: EndedCall | null): string | null {
  if (ended === null || ended.status === "completed") return null;
  const how = ended.status === "declined" ? "It was declined" : "It failed";
  return ended.reason === null ? `${how}.` : `${how}: ${ended.reason}`;
}

function isPatch(text: string): boolean {
  return text.trimStart().startsWith("*** Begin Patch");
}
