import type { McpProgress } from "../mcp/mcp-call.ts";

/** Where a unit of work stands. `declined`: policy or a person said no, so it never ran. */
export type ItemStatus = "in_progress" | "completed" | "failed" | "declined";

/** One thing that happened in a turn, as programs see it. Field names are the wire's; `id` is `item_N`, N from 0 in a thread. */
export type ThreadItem =
  | AgentMessageThreadItem
  | { readonly id: string; readonly type: "reasoning"; readonly text: string }
  | CommandExecutionThreadItem
  | FileChangeThreadItem
  | McpToolCallThreadItem
  | { readonly id: string; readonly type: "web_search"; readonly query: string; readonly action?: unknown }
  | TodoListThreadItem
  | ImageViewThreadItem
  | { readonly id: string; readonly type: "error"; readonly message: string };

export interface AgentMessageThreadItem {
  readonly id: string;
  readonly type: "agent_message";
  readonly text: string;
}
export interface CommandExecutionThreadItem {
  readonly id: string;
  readonly type: "command_execution";
  /** As a shell would take it. */
  readonly command: string;
  readonly aggregated_output: string;
  readonly exit_code: number | null;
  readonly status: ItemStatus;
}
export interface FileChangeThreadItem {
  readonly id: string;
  readonly type: "file_change";
  readonly changes: readonly { readonly path: string; readonly kind: "add" | "delete" | "update" }[];
  readonly status: ItemStatus;
}
export interface McpToolCallThreadItem {
  readonly id: string;
  readonly type: "mcp_tool_call";
  readonly server: string;
  readonly tool: string;
  readonly arguments: unknown;
  readonly result: { readonly content: readonly unknown[]; readonly structured_content: unknown } | null;
  readonly error: { readonly message: string } | null;
  readonly status: ItemStatus;
  /** In `item.updated` only: how far the call is, by the server's own measure. */
  readonly progress?: McpProgress;
}
export interface TodoListThreadItem {
  readonly id: string;
  readonly type: "todo_list";
  readonly items: readonly { readonly text: string; readonly completed: boolean }[];
}
export interface ImageViewThreadItem {
  readonly id: string;
  readonly type: "image_view";
  readonly path: string;
}
