import type { JsonObject } from "../../json.ts";

/** A finished message of the assistant. */
export function toMessage(id: string, text: string): JsonObject {
  return { id, type: "message", status: "completed", role: "assistant", content: [toTextPart(text)] };
}

export function toTextPart(text: string): JsonObject {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}
