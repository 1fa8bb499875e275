import type { ResponseItem, ToolCallItem } from "../item/response-item.ts";
import { isToolCall } from "../item/tool-call.ts";
import type { EndedCall, JournalEntry } from "./journal.ts";

/**
 * How the calls of a journal ended, as far as it says. By the calls themselves, for their ids do not tell them apart: an answer that is not
 * kept may have had one of an id that a call of the thread has, and word of both is written down.
 */
export function listCallEnds(entries: readonly JournalEntry[]): ReadonlyMap<ResponseItem, EndedCall> {
  const ends = new Map<ResponseItem, EndedCall>();
  const calls = new Map<string, ToolCallItem>();
  for (const entry of entries) {
    if (entry.type === "item" && isToolCall(entry.item.item)) calls.set(entry.item.item.call_id, entry.item.item);
    if (entry.type !== "call.ended") continue;
    const call = calls.get(entry.callId);
    if (call !== undefined && !ends.has(call)) ends.set(call, entry);
  }
  return ends;
}
