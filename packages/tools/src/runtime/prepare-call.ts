import { callFault, type ToolCallItem } from "@unroll/protocol";
import type { CallableTool, PreparedCall } from "../tool/tool.ts";
import { checkPrepared } from "./check-tool.ts";
import type { ToolRegistry } from "./create-tool-registry.ts";

/** Finds the tool of a call and reads its payload. Never throws: a tool that does becomes a call that fails. */
export async function prepareCall(registry: ToolRegistry, call: ToolCallItem): Promise<PreparedCall> {
  const fault = call[callFault];
  if (fault !== undefined) return { type: "call.rejected", message: `The call was not run. ${fault}` };
  const tool = findTool(registry, call);
  if (tool === null)
    return { type: "call.rejected", message: `unsupported call: ${call.name}\n${explain(registry, call.name)}` };
  const payload = readPayload(tool, call);
  if (payload === null) {
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
    return checkPrepared(await tool.prepare(payload));
  } catch (error) {
    return { type: "call.ready", concurrency: "exclusive", plan: () => Promise.reject(error) };
  }
}

/** A custom tool is called as a function where the server knows functions alone: its one argument is the text. Null: it is no such call. */
function readPayload({ spec }: CallableTool, call: ToolCallItem): string | null {
  if (call.type === "custom_tool_call") return call.input;
  if (spec.type === "function") return call.arguments;
  const input = parseObject(call.arguments);
  return input !== null && Object.keys(input).length === 1 && typeof input["input"] === "string"
    ? input["input"]
    : null;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

/** How many tools a refusal names. */
const maxNames = 30;

/** One that takes a call of this form, where there are several of the name; the listed one first. */
function findTool({ callable, unlisted }: ToolRegistry, { name, type }: ToolCallItem): CallableTool | null {
  const kept = unlisted.kept.filter((tool) => tool.name === name);
  const found = [callable.get(name), ...kept].filter((tool) => tool !== undefined);
  const form = type === "function_call" ? "function" : "custom";
  return found.find(({ spec }) => spec.type === form) ?? found[0] ?? unlisted.find(name);
}

function explain({ callable, unlisted }: ToolRegistry, name: string): string {
  const names = [...new Set([...callable.keys(), ...unlisted.kept.map((tool) => tool.name)])];
  const rest = names.length > maxNames ? ` and ${names.length - maxNames} more` : "";
  const listed = names.slice(0, maxNames).join(", ") || "none";
  return unlisted.explain(name) ?? `The tools you can call are: ${listed}${rest}.`;
}
