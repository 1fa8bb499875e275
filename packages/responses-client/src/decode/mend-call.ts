import { callFault, type ToolCallItem } from "@unroll/protocol";
import { sliceMember } from "./slice-json.ts";
import type { Fields, WrittenItem } from "./wire-event.ts";

/** Calls that the provider runs by itself: it waits for no output of them. */
const providersOwn: ReadonlySet<unknown> = new Set([
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "image_generation_call",
  "mcp_call",
]);
const mostNameCharacters = 64;

/** Whether the model asks by it for something that the harness has to answer. */
export function isCall({ type, execution }: { readonly type?: unknown; readonly execution?: unknown }): boolean {
  if (typeof type !== "string" || !type.endsWith("_call") || providersOwn.has(type)) return false;
  return type !== "tool_search_call" || execution !== "server";
}

/**
 * A call that lacks something, completed so that it can run and a server takes it back: an id for its output, `{}` for empty
 * arguments, arguments that came as JSON as the text of that JSON. One that names no tool, or is of a kind that we never
 * ask for, gets a `callFault` and never runs: left as it came, it would have no output, and a server would refuse every
 * later request. Null for everything else, calls in order included.
 */
export function mendCall(call: WrittenItem): ToolCallItem | null {
  const { value } = call;
  if (!isCall(value)) return null;
  const type = String(value["type"]);
  if (type === "function_call") return mendOurs(call, { type, payload: "arguments" });
  return type === "custom_tool_call" ? mendOurs(call, { type, payload: "input" }) : replaceForeign(value, type);
}

interface OurKind {
  readonly type: ToolCallItem["type"];
  /** The member that the tool gets. */
  readonly payload: "arguments" | "input";
}

function mendOurs({ value, readText }: WrittenItem, { type, payload }: OurKind): ToolCallItem | null {
  const given = value[payload];
  const text =
    typeof given === "string"
      ? given
      : given === undefined || given === null
        ? ""
        : (sliceMember(readText() ?? "", payload) ?? "");
  const whole = type === "function_call" && text.trim() === "" ? "{}" : text;
  if (isName(value["call_id"]) && isName(value["name"]) && whole === given) return null;
  const { id, ...rest } = value;
  const common = {
    ...rest,
    ...(typeof id === "string" && { id }),
    ...toIdentity(value),
    ...(!isName(value["name"]) && { [callFault]: "It names no tool." }),
  };
  return type === "function_call" ? { ...common, type, arguments: whole } : { ...common, type, input: whole };
}

/** Only the server that sent it knows what its output would be. */
function replaceForeign(value: Fields, type: string): ToolCallItem {
  const { call_id, type: _type, id: _id, status: _status, ...rest } = value;
  const name = type.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, mostNameCharacters);
  const fault = `There are no calls of the type ${type} here: call one of the tools that you were given.`;
  return {
    ...toIdentity({ call_id, name }),
    type: "function_call",
    arguments: JSON.stringify(rest),
    [callFault]: fault,
  };
}

/** The transcript gives a call whose id was used before one of its own; so calls without an id get different ones. */
function toIdentity({ call_id: callId, name }: Fields): { readonly call_id: string; readonly name: string } {
  return { call_id: isName(callId) ? callId : "call_without_id", name: isName(name) ? name : "unnamed" };
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
