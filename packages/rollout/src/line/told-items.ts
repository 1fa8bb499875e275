import { pathToFileURL } from "node:url";
import {
  type CommandExecutionThreadItem,
  type FileChangeThreadItem,
  isFields,
  type McpToolCallThreadItem,
  type ThreadItem,
} from "@unroll/protocol";
import { listFileUpdates, takeEnd, takeStart } from "@unroll/text";

/** The beginning and the end of a command's output are saved, as by the Codex CLI: so many bytes. */
const keptOutput = 10_000;

/** The item of an `item_completed`, without its id if the call has none. Null: the Codex CLI shows no such item. */
export function toTurnItem(item: ThreadItem): object | null {
  switch (item.type) {
    case "command_execution":
      return { type: "CommandExecution", ...toId(item.call_id), ...toCommand(item) };
    case "file_change":
      return { type: "FileChange", ...toId(item.call_id), changes: toChanges(item), status: toStatus(item.status) };
    case "mcp_tool_call": {
      const { server, tool, arguments: given, error } = item;
      const { content, isFailed } = toResult(item);
      const result = content === null ? null : { content, isError: false };
      const status = isFailed ? "failed" : "completed";
      const told = { server, tool, arguments: given, status, result, error, duration: toDuration(item.duration_ms) };
      return { type: "McpToolCall", ...toId(item.call_id), ...told };
    }
    case "image_view":
      return { type: "ImageView", ...toId(item.call_id), path: toUri(item.path) };
    case "web_search":
      return { type: "WebSearch", query: item.query, action: toSearch(item.action) };
    case "tool_call":
    case "agent_message":
    case "reasoning":
    case "todo_list":
    case "error":
      return null;
  }
}

/** A time within a turn, in ms since 1970. */
export interface TurnMoment {
  readonly turnId: string;
  readonly now: number;
}

/** The event of an ended call in a file without ordinals. Null: there is none for this kind of item. */
export function toEndEvent(item: ThreadItem, { turnId, now }: TurnMoment): object | null {
  const of = { call_id: "call_id" in item ? (item.call_id ?? item.id) : item.id, turn_id: turnId };
  switch (item.type) {
    case "command_execution":
      return {
        type: "exec_command_end",
        ...of,
        completed_at_ms: now,
        ...toCommand(item),
        stdout: "",
        stderr: "",
        formatted_output: "",
      };
    case "file_change": {
      const status = toStatus(item.status);
      const told = { stdout: "", stderr: item.reason ?? "", success: status === "completed" };
      return { type: "patch_apply_end", ...of, ...told, changes: toChanges(item), status };
    }
    case "mcp_tool_call": {
      const { server, tool, arguments: given, error } = item;
      const { content } = toResult(item);
      return {
        type: "mcp_tool_call_end",
        ...of,
        invocation: { server, tool, arguments: given },
        duration: toDuration(item.duration_ms),
        result: content === null ? { Err: error?.message ?? "" } : { Ok: { content, isError: false } },
      };
    }
    case "web_search":
      return { type: "web_search_end", ...of, query: item.query, action: toSearch(item.action) };
    case "image_view":
      return { type: "view_image_tool_call", ...of, path: toUri(item.path) };
    case "tool_call":
    case "agent_message":
    case "reasoning":
    case "todo_list":
    case "error":
      return null;
  }
}

function toId(callId: string | undefined): object {
  return callId === undefined ? {} : { id: callId };
}

function toCommand(item: CommandExecutionThreadItem): object {
  const { command, cwd = "/", aggregated_output: output, exit_code: exitCode } = item;
  return {
    command: ["bash", "-c", command],
    cwd: toUri(cwd),
    parsed_cmd: [{ type: "unknown", cmd: command }],
    source: "agent",
    status: toStatus(item.status),
    aggregated_output: shortenOutput(output),
    exit_code: exitCode ?? -1,
    duration: toDuration(item.duration_ms),
  };
}

/** Codex CLI 0.169 skips lines whose paths are none. */
function toUri(path: string): string {
  return pathToFileURL(path).href;
}

function shortenOutput(output: string): string {
  if (Buffer.byteLength(output) <= keptOutput) return output;
  return `${takeStart(output, keptOutput / 2)}\n[...]\n${takeEnd(output, keptOutput / 2)}`;
}

function toChanges({ changes, diff }: FileChangeThreadItem): Readonly<Record<string, object>> {
  const updates = listFileUpdates(changes, diff ?? "");
  return Object.fromEntries(
    updates.map(({ kind, path, movedTo, text }) => [
      path,
      kind === "update" ? { type: kind, unified_diff: text, move_path: movedTo } : { type: kind, content: text },
    ]),
  );
}

/** The Codex CLI has no word for a call that is still running, nor for an end that nobody recorded. */
function toStatus(status: "in_progress" | "completed" | "failed" | "declined" | "unknown"): string {
  return status === "in_progress" || status === "unknown" ? "failed" : status;
}

function toResult({ result, status }: McpToolCallThreadItem): {
  content: readonly unknown[] | null;
  isFailed: boolean;
} {
  return { content: result?.content ?? null, isFailed: status !== "completed" };
}

function toDuration(ms = 0): object {
  return { secs: Math.floor(ms / 1000), nanos: Math.round(ms % 1000) * 1_000_000 };
}

/** The kinds of searches that the Codex CLI knows. */
const searches: readonly unknown[] = ["search", "open_page", "find_in_page"];

function toSearch(action: unknown): object {
  return isFields(action) && searches.includes(action["type"]) ? action : { type: "other" };
}
