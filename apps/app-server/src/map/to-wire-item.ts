import type { WireItem } from "@unroll/app-server-protocol";
import type {
  CallThreadItem,
  CommandExecutionThreadItem,
  ItemStatus,
  ThreadItem,
  ToolCallThreadItem,
} from "@unroll/protocol";
import { toCollabCall } from "./to-collab-call.ts";
import { toFileUpdates } from "./to-file-updates.ts";
import { toWireActions } from "./to-wire-actions.ts";

/** The thread of an item. */
export interface ItemThread {
  readonly threadId: string;
  /** For an item that does not have one. */
  readonly cwd: string;
}

/** Null: another notification reports it (a plan, an error). */
export function toWireItem(item: ThreadItem, { threadId, cwd }: ItemThread): WireItem | null {
  const { id } = item;
  switch (item.type) {
    case "agent_message":
      return { type: "agentMessage", id, text: item.text, phase: null };
    case "reasoning":
      return { type: "reasoning", id, summary: item.text === "" ? [] : [item.text], content: [] };
    case "command_execution":
      return toCommand(item, cwd);
    case "file_change":
      return {
        type: "fileChange",
        id,
        changes: toFileUpdates(item.changes, item.diff ?? ""),
        status: toStatus(item.status),
      };
    case "mcp_tool_call":
      return {
        type: "mcpToolCall",
        id,
        server: item.server,
        tool: item.tool,
        status: toCallStatus(item.status),
        arguments: item.arguments,
        result: item.result && {
          content: [...item.result.content],
          structuredContent: item.result.structured_content,
          _meta: null,
        },
        error: item.error,
        durationMs: toDuration(item),
      };
    case "tool_call":
      return item.agent ? toCollabCall(item, { agent: item.agent, senderThreadId: threadId }) : toToolCall(item);
    case "web_search":
      return { type: "webSearch", id, query: item.query, action: item.action ?? null };
    case "image_view":
      return { type: "imageView", id, path: item.path };
    case "todo_list":
    case "error":
      return null;
  }
}

/** Null: it is not over, or an older version kept it. */
function toDuration({ status, duration_ms }: CallThreadItem): number | null {
  return status === "in_progress" ? null : (duration_ms ?? null);
}

function toCommand(item: CommandExecutionThreadItem, threadCwd: string): WireItem {
  const { command, cwd = threadCwd } = item;
  return {
    type: "commandExecution",
    id: item.id,
    command,
    cwd,
    processId: null,
    source: item.source === "user" ? "userShell" : "agent",
    status: toStatus(item.status),
    commandActions: toWireActions(command, cwd),
    aggregatedOutput: item.status === "in_progress" ? null : item.aggregated_output,
    exitCode: item.exit_code,
    durationMs: toDuration(item),
  };
}

function toToolCall(item: ToolCallThreadItem): WireItem {
  return {
    type: "dynamicToolCall",
    id: item.id,
    namespace: null,
    tool: item.tool,
    arguments: item.arguments,
    status: toCallStatus(item.status),
    contentItems: item.output === null ? null : [{ type: "inputText", text: item.output }],
    success: toStatus(item.status) === "inProgress" ? null : item.status === "completed",
    durationMs: toDuration(item),
  };
}

/** The protocol has no word for an end that was not recorded: the last that is known is that the item ran. */
function toStatus(status: ItemStatus): "inProgress" | "completed" | "failed" | "declined" {
  return status === "in_progress" || status === "unknown" ? "inProgress" : status;
}

function toCallStatus(status: ItemStatus): "inProgress" | "completed" | "failed" {
  const wire = toStatus(status);
  return wire === "declined" ? "failed" : wire;
}
