import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { readStoredTurns, type StoredStep } from "@unroll/front-end";
import type { JournalEntry, ThreadItem, UserInputPart } from "@unroll/protocol";
import { toToolCall } from "./to-tool-call.ts";

/** A conversation as it was, of the entries of its journal, to be shown once more. */
export function toReplay(entries: readonly JournalEntry[], cwd: string): readonly SessionUpdate[] {
  return readStoredTurns(entries).flatMap(({ steps }) => steps.flatMap((step) => toUpdates(step, cwd)));
}

function toUpdates(step: StoredStep, cwd: string): readonly SessionUpdate[] {
  switch (step.type) {
    case "said":
      return step.input.flatMap((part) => toSaid(part, step.id));
    case "item":
      return toItem(step.item, step.cwd ?? cwd);
    case "compacted":
      return [];
  }
}

function toSaid(part: UserInputPart, messageId: string): readonly SessionUpdate[] {
  if (part.type === "text") {
    return [{ sessionUpdate: "user_message_chunk", messageId, content: { type: "text", text: part.text } }];
  }
  const [, mimeType = null, data = ""] = /^data:([^;,]+);base64,(.*)$/s.exec(part.dataUrl) ?? [];
  return mimeType === null
    ? []
    : [{ sessionUpdate: "user_message_chunk", messageId, content: { type: "image", mimeType, data } }];
}

function toItem(item: ThreadItem, cwd: string): readonly SessionUpdate[] {
  switch (item.type) {
    case "agent_message":
    case "reasoning": {
      if (item.text === "") return [];
      const sessionUpdate = item.type === "reasoning" ? "agent_thought_chunk" : "agent_message_chunk";
      return [{ sessionUpdate, messageId: item.id, content: { type: "text", text: item.text } }];
    }
    case "command_execution":
    case "file_change":
    case "mcp_tool_call":
    case "tool_call":
    case "image_view":
    case "web_search":
      return [{ sessionUpdate: "tool_call", ...toToolCall(item, { cwd, hasTerminal: false }) }];
    case "todo_list":
    case "error":
      return [];
  }
}
