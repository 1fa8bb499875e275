import { isJsonObject, type JsonObject } from "../json.ts";
import type { TurnItem } from "../script/turn.ts";

/** An output item as the wire has it, with the id that its events name. */
export interface OutputItem {
  readonly id: string;
  readonly json: JsonObject;
}

/** Not an item, but something that is sent between items as it stands. */
export interface StrayEvent {
  readonly event: JsonObject | string;
}

type WholeItem = JsonObject & { readonly type: string };
type ShortItem = Exclude<TurnItem, StrayEvent | WholeItem>;

export interface CompletedItems {
  /** Makes the ids unique in the thread. */
  readonly responseKey: string;
  /** Whether reasoning comes in a form that only the server can read, too. */
  readonly encrypts: boolean;
}

/**
 * Writes short items out, and fills in what whole ones of a known type lack: id, status, call id, annotations. Items of
 * an unknown type stay as they are.
 */
export function completeItems(
  items: readonly TurnItem[],
  { responseKey, encrypts }: CompletedItems,
): readonly (OutputItem | StrayEvent)[] {
  function complete(item: WholeItem, index: number): OutputItem {
    const defaults = defaultsOf(item.type, `${responseKey}_${index}`);
    const secret = item.type === "reasoning" && !encrypts ? { encrypted_content: null } : {};
    const json: JsonObject = { ...defaults, ...secret, ...item, ...completeContent(item) };
    return { id: String(json["id"]), json };
  }

  return items.map((item, index) => {
    if ("type" in item) return complete(item, index);
    return "event" in item ? item : complete(writeOut(item), index);
  });
}

function writeOut(item: ShortItem): WholeItem {
  if ("text" in item) return { type: "message", content: [{ type: "output_text", text: item.text }] };
  if ("reasoning" in item) return { type: "reasoning", summary: [{ type: "summary_text", text: item.reasoning }] };
  if ("search" in item) return { type: "web_search_call", action: { type: "search", query: item.search } };
  const callId = item.call_id === undefined ? {} : { call_id: item.call_id };
  if ("custom" in item) return { type: "custom_tool_call", ...callId, name: item.custom, input: item.input };
  const { arguments: value } = item;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { type: "function_call", ...callId, name: item.call, arguments: text };
}

function defaultsOf(type: string, key: string): JsonObject {
  switch (type) {
    case "message":
      return { id: `msg_${key}`, type, status: "completed", role: "assistant", content: [] };
    case "reasoning":
      return { id: `rs_${key}`, type, summary: [], encrypted_content: encrypt(key) };
    case "function_call":
      return { id: `fc_${key}`, type, status: "completed", call_id: `call_${key}` };
    case "custom_tool_call":
      return { id: `ctc_${key}`, type, status: "completed", call_id: `call_${key}` };
    case "web_search_call":
      return { id: `ws_${key}`, type, status: "completed" };
    case "compaction":
      return { id: `cmp_${key}`, type, encrypted_content: encrypt(key) };
    default:
      return {};
  }
}

/** Stands for what only a real server can read. */
function encrypt(key: string): string {
  return Buffer.from(`not really encrypted: ${key}`).toString("base64");
}

/** A real server's text parts always have these lists. */
function completeContent({ type, content }: JsonObject): JsonObject {
  if (type !== "message" || !Array.isArray(content)) return {};
  const complete = (part: unknown) =>
    isJsonObject(part) && part["type"] === "output_text" ? { annotations: [], logprobs: [], ...part } : part;
  return { content: content.map(complete) };
}
