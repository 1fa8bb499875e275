import type { SentItem } from "@unroll/protocol";
import { toKind } from "../wire/lower-item.ts";
import type { WireKind } from "../wire/wire-item.ts";

const decoder = new TextDecoder();

/** What was sent of an item, for the order of a conversation; nothing where it only went on with a message. */
export function readKinds({ item, bytes, lowered }: SentItem): readonly WireKind[] {
  if (bytes.length === 0 || lowered?.joins === true) return [];
  if (lowered === undefined) return [toKind(item)];
  const wires: unknown = JSON.parse(`[${decoder.decode(bytes)}]`);
  return Array.isArray(wires) ? wires.map(readKind) : [];
}

function readKind(wire: unknown): WireKind {
  if (typeof wire !== "object" || wire === null || !("type" in wire)) return "other";
  const role = "role" in wire ? wire.role : null;
  switch (wire.type) {
    case "message":
      return role === "user" || role === "assistant" ? role : "other";
    case "reasoning":
      return "reasoning";
    case "function_call":
    case "custom_tool_call":
      return "call";
    case "function_call_output":
    case "custom_tool_call_output":
      return "output";
    default:
      return "other";
  }
}
