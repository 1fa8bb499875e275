import { isToolOutput, type JournalEntry, listLiveItems, type ResponseItem, type TokenUsage } from "@unroll/protocol";
import type { ResponseSpan } from "../port/step-guard.ts";

/** The counts of the last response, and the items that they cover. */
export interface MeasuredResponse {
  /** Null: there is none in this epoch, or its server did not say. */
  readonly usage: TokenUsage | null;
  readonly span: ResponseSpan;
}

export const unmeasured: MeasuredResponse = { usage: null, span: { sent: 0, held: 0 } };

/** The last response of a thread that is resumed. A request is written down before the items of its answer. */
export function findLastResponse(entries: readonly JournalEntry[]): MeasuredResponse {
  const at = entries.findLastIndex(isMeasure);
  const last = entries[at];
  if (last?.type !== "request" || last.request.usage === null) return unmeasured;
  const sent = listLiveItems(entries.slice(0, at)).length;
  const items = entries.slice(at + 1).flatMap((entry) => (entry.type === "item" ? [entry.item.item] : []));
  const end = items.findIndex((item) => !isOfModel(item));
  return { usage: last.request.usage, span: { sent, held: sent + (end === -1 ? items.length : end) } };
}

/** Also what ends the epoch that a response was in. */
function isMeasure(entry: JournalEntry): boolean {
  if (entry.type === "request") return !entry.request.isBeside;
  return entry.type === "epoch" || entry.type === "epoch.undone";
}

function isOfModel(item: ResponseItem): boolean {
  return item.type === "message" ? item.role === "assistant" : !isToolOutput(item);
}
