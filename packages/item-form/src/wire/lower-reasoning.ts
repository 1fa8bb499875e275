import type { ItemForm, ReasoningItem } from "@unroll/protocol";
import { type NewId, toItemWire, type WireItem } from "./wire-item.ts";
import { withoutNulls } from "./without-nulls.ts";

interface LoweredReasoning {
  readonly form: ItemForm;
  /** Whose model and server it is. */
  readonly isOwn: boolean;
  readonly newId: NewId;
}

/** Reasoning as a server takes it that knows no other than readable one, but its own. Empty: there is nothing that it could read. */
export function lowerReasoning(item: ReasoningItem, { form, isOwn, newId }: LoweredReasoning): readonly WireItem[] {
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
