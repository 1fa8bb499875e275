import { callFault, type ToolCallItem } from "@unroll/protocol";

type Fields = Readonly<Record<string, unknown>>;

/** Calls that the provider runs by itself: it waits for no output of them. */
const providersOwn: ReadonlySet<unknown> = new Set([
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "image_generation_call",
  "mcp_call",
]);
const mostNameCharacters = 64;

/**
 * A call of the model that is none of a tool of ours, or not whole, as one that is: a server takes it back, with an output, and
 * `callFault` says why it cannot be run. As it came, no output could belong to it, and every later request would be refused.
 * Null for whatever else, calls that are in order among it.
 */
export function mendCall(value: unknown): ToolCallItem | null {
  if (!isFields(value)) return null;
  const { type } = value;
  if (typeof type !== "string" || !type.endsWith("_call") || providersOwn.has(type)) return null;
  if (type === "tool_search_call" && value["execution"] === "server") return null;
  if (type === "function_call") return mendOurs(value, { type, payload: "arguments" });
  return type === "custom_tool_call" ? mendOurs(value, { type, payload: "input" }) : replaceForeign(value, type);
}

interface OurKind {
  readonly type: ToolCallItem["type"];
  /** What the tool is given. */
  readonly payload: "arguments" | "input";
}

function mendOurs(value: Fields, { type, payload }: OurKind): ToolCallItem | null {
  const given = value[payload];
  const faults = [
    ...(isName(value["call_id"]) ? [] : ["It came without a call_id, by which its output would be known."]),
    ...(isName(value["name"]) ? [] : ["It names no tool."]),
    ...(typeof given === "string" ? [] : [`Its ${payload} came as ${nameOf(given)}, and not as text.`]),
  ];
  if (faults.length === 0) return null;
  const { id, ...rest } = value;
  const common = {
    ...rest,
    ...(typeof id === "string" && { id }),
    ...toIdentity(value),
    [callFault]: faults.join(" "),
  };
  return type === "function_call"
    ? { ...common, type, arguments: toText(given) }
    : { ...common, type, input: toText(given) };
}

/** Only the server that sent it knows what its output would be. */
function replaceForeign(value: Fields, type: string): ToolCallItem {
  const { call_id, type: _type, id: _id, status: _status, ...rest } = value;
  const name = type.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, mostNameCharacters);
  const fault = `There are no calls of the type ${type} here: call one of the tools that you were given.`;
  return { ...toIdentity({ call_id, name }), type: "function_call", arguments: toText(rest), [callFault]: fault };
}

/** The transcript gives a call whose id was used already one of its own, and so one that came without. */
function toIdentity({ call_id: callId, name }: Fields): { readonly call_id: string; readonly name: string } {
  return { call_id: isName(callId) ? callId : "call_without_id", name: isName(name) ? name : "unnamed" };
}

function toText(given: unknown): string {
  return typeof given === "string" ? given : given === undefined ? "" : JSON.stringify(given);
}

function nameOf(given: unknown): string {
  if (given === undefined || given === null) return "nothing";
  return Array.isArray(given) ? "a list" : typeof given === "object" ? "an object" : `a ${typeof given}`;
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
