import type { ResponseItem, ToolCallItem, ToolOutputItem } from "@unroll/protocol";
import { createByteLog } from "./byte-log.ts";
import { encodeItem, type ItemIds } from "./encode-item.ts";

/**
 * Everything that the model is sent and has said, in order. It only grows: what was sent once is sent again byte for
 * byte, so each request is a prefix of the next and the provider's cache holds (the prefix law).
 */
export interface Transcript {
  readonly items: readonly ResponseItem[];
  /**
   * The items as JSON, a comma between each two: each encoded once, when it was appended. What is there stays as it is;
   * the view grows with the transcript, so take it anew for each request, and never write into it.
   */
  readonly encoded: Uint8Array;
  /** Calls without an output yet, in call order. Must be empty whenever a request is made. */
  readonly openCalls: readonly ToolCallItem[];
  /**
   * Adds items at the end, all or none. Throws `TranscriptError` when an output has no open call, or a call's id was
   * used before: either would make every later request invalid.
   */
  append(...items: readonly ResponseItem[]): void;
  /** Whether a call of this id is in the transcript, answered or not. */
  hasCall(callId: string): boolean;
  /** Gives every open call an output with this text, so that no call is left without one. */
  closeOpenCalls(text: string): void;
}

/** The caller broke "one output a call". */
export class TranscriptError extends Error {
  override readonly name = "TranscriptError";
  readonly code: "orphan_output" | "duplicate_call";
  readonly callId: string;

  constructor(code: "orphan_output" | "duplicate_call", callId: string) {
    super(
      code === "orphan_output"
        ? `The output for call ${callId} has no open call in the transcript.`
        : `The call id ${callId} is in the transcript already.`,
    );
    this.code = code;
    this.callId = callId;
  }
}

const comma = new TextEncoder().encode(",");

export function createTranscript(ids: ItemIds = "dropped"): Transcript {
  const items: ResponseItem[] = [];
  const bytes = createByteLog();
  const seenCalls = new Set<string>();
  const open = new Map<string, ToolCallItem>();

  function append(...added: readonly ResponseItem[]): void {
    checkCalls(added, open, seenCalls);
    for (const item of added) {
      if (items.length > 0) bytes.append(comma);
      bytes.append(encodeItem(item, ids));
      items.push(item);
      if (isToolCall(item)) {
        seenCalls.add(item.call_id);
        open.set(item.call_id, item);
      } else if (isToolOutput(item)) open.delete(item.call_id);
    }
  }
  return {
    items,
    append,
    hasCall: (callId) => seenCalls.has(callId),
    get encoded() {
      return bytes.view();
    },
    get openCalls() {
      return [...open.values()];
    },
    closeOpenCalls: (text) => append(...[...open.values()].map((call) => toOutput(call, text))),
  };
}

function checkCalls(
  added: readonly ResponseItem[],
  open: ReadonlyMap<string, ToolCallItem>,
  seen: ReadonlySet<string>,
): void {
  const opened = new Set<string>();
  const closed = new Set<string>();
  for (const item of added) {
    if (isToolCall(item)) {
      if (seen.has(item.call_id) || opened.has(item.call_id)) throw new TranscriptError("duplicate_call", item.call_id);
      opened.add(item.call_id);
    } else if (isToolOutput(item)) {
      const isOpen = (open.has(item.call_id) || opened.has(item.call_id)) && !closed.has(item.call_id);
      if (!isOpen) throw new TranscriptError("orphan_output", item.call_id);
      closed.add(item.call_id);
    }
  }
}

/** Whether the model asks for one of our tools by this item. */
export function isToolCall(item: ResponseItem): item is ToolCallItem {
  return item.type === "function_call" || item.type === "custom_tool_call";
}

function isToolOutput(item: ResponseItem): item is ToolOutputItem {
  return item.type === "function_call_output" || item.type === "custom_tool_call_output";
}

function toOutput(call: ToolCallItem, text: string): ToolOutputItem {
  return call.type === "function_call"
    ? { type: "function_call_output", call_id: call.call_id, output: text }
    : { type: "custom_tool_call_output", call_id: call.call_id, output: text };
}
