import { isToolCall, isToolOutput, type ResponseItem, type ToolCallItem } from "@unroll/protocol";
import { TranscriptError } from "./transcript-error.ts";

/** Which calls a transcript holds, and which of them still wait for their output. */
export interface CallLedger {
  /** The calls without an output yet, in call order. */
  listOpen(): readonly ToolCallItem[];
  /** Whether a call of this id was ever in the thread, answered or not. */
  has(callId: string): boolean;
  /** Throws `TranscriptError` where these, after what is there, would break "one output a call"; changes nothing. */
  check(items: readonly ResponseItem[]): void;
  enter(item: ResponseItem): void;
  /** Throws `TranscriptError` unless these by themselves leave no call open. The ids of calls before stay taken. */
  startAnew(items: readonly ResponseItem[]): void;
}

export function createCallLedger(): CallLedger {
  const seen = new Set<string>();
  const open = new Map<string, ToolCallItem>();
  return {
    listOpen: () => [...open.values()],
    has: (callId) => seen.has(callId),
    check: (items) => void checkCalls(items, new Set(open.keys()), seen),
    enter(item) {
      if (isToolCall(item)) {
        seen.add(item.call_id);
        open.set(item.call_id, item);
      } else if (isToolOutput(item)) open.delete(item.call_id);
    },
    startAnew(items) {
      const [left] = [...open.keys(), ...checkCalls(items, new Set(), new Set())];
      if (left !== undefined) throw new TranscriptError("open_call", left);
      for (const item of items) if (isToolCall(item)) seen.add(item.call_id);
    },
  };
}

/** Returns the ids of the calls that are open after these. */
function checkCalls(
  items: readonly ResponseItem[],
  openBefore: ReadonlySet<string>,
  seenBefore: ReadonlySet<string>,
): ReadonlySet<string> {
  const open = new Set(openBefore);
  const seen = new Set<string>();
  for (const item of items) {
    if (isToolCall(item)) {
      if (seenBefore.has(item.call_id) || seen.has(item.call_id))
        throw new TranscriptError("duplicate_call", item.call_id);
      seen.add(item.call_id);
      open.add(item.call_id);
    } else if (isToolOutput(item) && !open.delete(item.call_id)) {
      throw new TranscriptError("orphan_output", item.call_id);
    }
  }
  return open;
}
