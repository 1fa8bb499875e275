import {
  type ContentPart,
  type ItemForm,
  type ResponseItem,
  type ToolOutputItem,
  toValidArguments,
  type ReasoningItem,
} from "@unroll/protocol";
import { describeImages, hasImages, splitOutput, lowerAnswer, lowerOwnMessage, toAnswerWire } from "./lower-message.ts";
import {
  withoutId,
  type MadeItem,
  type NewId,
  toItemWire,
  toMessageWire,
  type WireItem,
  type WireKind,
  withoutNulls,
} from "./wire-item.ts";

/** The form in which an item is sent. */
interface LoweredWire {
  /** Null: the item goes as it is. Empty: it is not sent by itself. */
  readonly wires: readonly WireItem[] | null;
  /** To be shown in a message of the user, behind all outputs of the same response. */
  readonly images: readonly ContentPart[];
}

interface Lowering {
  readonly form: ItemForm;
  readonly newId: NewId;
}

/** Converts an item for a server of this form. */
export function lowerItem({ item, maker }: MadeItem, { form, newId }: Lowering): LoweredWire {
  const { provider, model } = form.server;
  const isOwn = maker === null || maker.provider === provider;
  const isOwnModel = maker === null || (isOwn && maker.model === model);
  if (item.type === "function_call_output" || item.type === "custom_tool_call_output") return lowerOutput(item, form);
  const wires = lowerOther(item, { form, newId, isOwn, isOwnModel });
  return { wires, images: [] };
}

interface LoweringOwned extends Lowering {
  /** The server's own. */
  readonly isOwn: boolean;
  /** Its model's own. */
  readonly isOwnModel: boolean;
}

function lowerOther(
  item: Exclude<ResponseItem, ToolOutputItem>,
  { form, newId, isOwn, isOwnModel }: LoweringOwned,
): readonly WireItem[] | null {
  const asItIs = isOwn || item.type === "unknown" ? null : [toItemWire(toKind(item), withoutId(item))];
  switch (item.type) {
    case "message": {
      if (item.role !== "assistant") return toList(lowerOwnMessage(item, form));
      return form.anyItems && form.repeatedRoles ? asItIs : [lowerAnswer(item, { isOwn, newId })];
    }
    case "reasoning":
      if (!form.anyItems) return lowerReasoning(item, { form, isOwn: isOwnModel, newId });
      return !form.reasoningItems || (!isOwnModel && typeof item.encrypted_content === "string") ? [] : asItIs;
    case "function_call": {
      if (form.anyItems) return asItIs;
      const { call_id, name } = item;
      const fields = isOwn ? withoutNulls(item) : { type: item.type, call_id, name };
      return [toItemWire("call", { ...fields, arguments: toValidArguments(item.arguments) })];
    }
    case "custom_tool_call": {
      if (form.anyItems && form.customTools) return asItIs;
      const { call_id, name, input } = item;
      return [toItemWire("call", { type: "function_call", call_id, name, arguments: JSON.stringify({ input }) })];
    }
    case "web_search_call": {
      if (form.anyItems && form.webSearch) return asItIs;
      const { query, url } = item.action ?? {};
      return [toAnswerWire(`I searched the web: ${query ?? url ?? "?"}`, newId)];
    }
    case "compaction":
      return isOwn ? null : [toMessageWire("user", { type: "message", role: "user" }, [lostCompaction])];
    case "unknown":
      return isOwn || form.anyItems ? null : [];
  }
}

const lostCompaction = {
  type: "input_text",
  text: "[Earlier messages were compacted by another server, which alone can read the result.]",
};

function toList(wire: WireItem | null): readonly WireItem[] | null {
  return wire === null ? null : [wire];
}

function lowerOutput(item: ToolOutputItem, form: ItemForm): LoweredWire {
  const { output, call_id } = item;
  const shown = form.images || typeof output === "string" ? output : describeImages(output);
  const type = form.anyItems && form.customTools ? item.type : "function_call_output";
  if (!form.anyItems) {
    const { text, images } = splitOutput(shown);
    return { wires: [toItemWire("output", { type, call_id, output: text })], images };
  }
  const isAsItIs = type === item.type && (form.images || !hasImages(output));
  return { wires: isAsItIs ? null : [toItemWire("output", { ...item, type, output: shown })], images: [] };
}

/** The kind of an item that is sent unchanged, for the order of a thread. */
export function toKind(item: ResponseItem): WireKind {
  switch (item.type) {
    case "message":
      return item.role === "user" || item.role === "assistant" ? item.role : "other";
    case "reasoning":
      return "reasoning";
    case "function_call":
    case "custom_tool_call":
      return "call";
    case "function_call_output":
    case "custom_tool_call_output":
      return "output";
    case "web_search_call":
    case "compaction":
    case "unknown":
      return "other";
  }
}

interface LoweredReasoning {
  readonly form: ItemForm;
  /** Whether the item comes from this model and server. */
  readonly isOwn: boolean;
  readonly newId: NewId;
}

/** Reasoning as a server takes it that knows no other than readable one, but its own. Empty: there is nothing that it could read. */
function lowerReasoning(item: ReasoningItem, { form, isOwn, newId }: LoweredReasoning): readonly WireItem[] {
  if (!form.reasoningItems) return [];
  const isSealed = typeof item.encrypted_content === "string" && item.encrypted_content !== "";
  const hasContent = (item.content ?? []).length > 0;
  if (isOwn && (isSealed || hasContent)) return [toItemWire("reasoning", withoutNulls(item))];
  const said = hasContent ? (item.content ?? []) : item.summary;
  const content = said.map(({ text }) => ({ type: "reasoning_text", text })).filter(({ text }) => text !== "");
  if (content.length === 0) return [];
  const id = isOwn && item.id !== undefined ? item.id : newId("rs");
  return [toItemWire("reasoning", { type: "reasoning", id, summary: [], content })];
}
