import type { FileChange } from "../file-change.ts";
import type { McpProgress } from "../mcp/mcp-call.ts";

/**
 * Where a unit of work stands. `declined`: policy or the user said no, so it never ran. `unknown`: its end was not recorded. That is so
 * of a saved command that was still running when its thread was copied or its process was killed.
 */
export type ItemStatus = "in_progress" | "completed" | "failed" | "declined" | "unknown";

/**
 * One thing that happened in a turn, as programs see it. Field names are the wire's; `id` is `item_N`, N from 0 in a
 * thread. Every call of the model is an item with a start and an end. `reason`, where it is there: one or more sentences
 * on why it failed, was declined or was stopped.
 */
export type ThreadItem =
  | AgentMessageThreadItem
  | ReasoningThreadItem
  | CallThreadItem
  | WebSearchThreadItem
  | TodoListThreadItem
  | { readonly id: string; readonly type: "error"; readonly message: string };

/** What a call of the model is shown as. */
export type CallThreadItem =
  | CommandExecutionThreadItem
  | FileChangeThreadItem
  | McpToolCallThreadItem
  | ImageViewThreadItem
  | ToolCallThreadItem;

/**
 * What every item of a call says of the call. The tool runtime fills it in: a tool that makes items of its own may leave it out, and
 * items of threads that older versions or other programs kept do not have it.
 */
interface CallFacts {
  readonly id: string;
  readonly status: ItemStatus;
  /** The id of the model's call. */
  readonly call_id?: string;
  /** When the call started, in ms since 1970; after a question, when it was answered. */
  readonly started_at?: number;
  /** From then to its end, in ms. Absent while it runs. */
  readonly duration_ms?: number;
}

/** What the model says to the person. */
export interface AgentMessageThreadItem {
  readonly id: string;
  readonly type: "agent_message";
  readonly text: string;
  /** Why the message ends before its end; absent where it is whole. */
  readonly cut?: "interrupted" | "incomplete";
}
/** What the model thinks, as far as its provider shows it. `cut`: as of a message. */
interface ReasoningThreadItem extends Pick<AgentMessageThreadItem, "id" | "text" | "cut"> {
  readonly type: "reasoning";
}
/** A search that the provider ran by itself: no gate was asked about it. */
interface WebSearchThreadItem {
  readonly id: string;
  readonly type: "web_search";
  readonly query: string;
  readonly action?: unknown;
  readonly status: ItemStatus;
}
/** A command of the model; stdout and stderr are one text, in the order in which they came. */
export interface CommandExecutionThreadItem extends CallFacts {
  readonly type: "command_execution";
  /** The folder in which it runs, absolute. Absent as of `CallFacts`. */
  readonly cwd?: string;
  /** As a shell would take it. */
  readonly command: string;
  readonly aggregated_output: string;
  readonly exit_code: number | null;
  readonly reason?: string;
  /**
   * For programs. `sandbox_unavailable`: the command was declined, as its sandbox cannot be had. `sandbox_denied`: it failed, certainly or
   * likely because of the sandbox. Absent: for another reason.
   */
  readonly code?: "sandbox_unavailable" | "sandbox_denied";
}
/** A patch, by the files that it changes. */
export interface FileChangeThreadItem extends CallFacts {
  readonly type: "file_change";
  /** The folder that the patch's relative paths are against, absolute. Absent as of `CallFacts`. */
  readonly cwd?: string;
  readonly changes: readonly FileChange[];
  /** A unified diff of all changes, as a person is asked with; absent where none could be made. Not part of `exec --json`. */
  readonly diff?: string;
  readonly reason?: string;
}
/** A call of a tool of an MCP server. While it lasts, `result` and `error` are both null. */
export interface McpToolCallThreadItem extends CallFacts {
  readonly type: "mcp_tool_call";
  readonly server: string;
  readonly tool: string;
  readonly arguments: unknown;
  readonly result: { readonly content: readonly unknown[]; readonly structured_content: unknown } | null;
  readonly error: { readonly message: string } | null;
  /** In `item.updated` only: how far the call is, by the server's own measure. */
  readonly progress?: McpProgress;
}
/** Any other call: of a tool that the program brought, of a tool that there is not, or one that could not be read. */
export interface ToolCallThreadItem extends CallFacts {
  readonly type: "tool_call";
  /** As the model named it. */
  readonly tool: string;
  /** Parsed where it is JSON, else the text as the model wrote it. */
  readonly arguments: unknown;
  /** What the model gets of it, text only; null until it is there. */
  readonly output: string | null;
  readonly reason?: string;
}
/** The model's plan, as it stands. */
export interface TodoListThreadItem {
  readonly id: string;
  readonly type: "todo_list";
  readonly items: readonly { readonly text: string; readonly completed: boolean }[];
}
/** An image file that the model looks at. */
export interface ImageViewThreadItem extends CallFacts {
  readonly type: "image_view";
  readonly path: string;
  readonly reason?: string;
}
