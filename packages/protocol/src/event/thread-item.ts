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

/** The item of a model's call. */
export type CallThreadItem =
  | CommandExecutionThreadItem
  | FileChangeThreadItem
  | McpToolCallThreadItem
  | ImageViewThreadItem
  | ToolCallThreadItem;

/**
 * Facts about a call in each of its items. The tool runtime fills them in: a tool that makes its
 * own items may leave them out, and items of threads from older versions or other programs lack
 * them.
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

/** A message of the model to the user. */
export interface AgentMessageThreadItem {
  readonly id: string;
  readonly type: "agent_message";
  readonly text: string;
  /** Why the message ends before its end; absent where it is whole. */
  readonly cut?: "interrupted" | "incomplete";
}
/** The model's reasoning, as far as its provider shows it. `cut`: as for a message. */
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
/** A command of the model, or of the user; stdout and stderr are one text, in the order in which they came. */
export interface CommandExecutionThreadItem extends CallFacts {
  readonly type: "command_execution";
  /** `user`: the user ran it, not the model. Absent: the model did. */
  readonly source?: "user";
  /** The folder in which it runs, absolute. Absent as of `CallFacts`. */
  readonly cwd?: string;
  /** As a shell would take it. */
  readonly command: string;
  readonly aggregated_output: string;
  /** So many lines of the output are not in `aggregated_output`, because it was too long. Absent: none are missing. */
  readonly omitted_lines?: number;
  readonly exit_code: number | null;
  readonly reason?: string;
  /**
   * For programs. `sandbox_unavailable`: the command was denied, because its sandbox does not work
   * here. `sandbox_denied`: it failed, certainly or probably because of the sandbox. Absent:
   * another reason.
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
/** Any other call: of a program's own tool, of an unknown tool, or one that could not be read. */
export interface ToolCallThreadItem extends CallFacts {
  readonly type: "tool_call";
  /** As the model named it. */
  readonly tool: string;
  /** Parsed where it is JSON, else the text as the model wrote it. */
  readonly arguments: unknown;
  /** The output that the model gets, text only; null: not yet. */
  readonly output: string | null;
  readonly reason?: string;
  /** The sub-agent that the call started, or that continues; then the item stands for no call of the model. Absent: there is none. */
  readonly agent?: AgentProgress;
  /** The threads of the sub-agents whose reports `output` is, and which their own items have shown. Absent: it is something else. */
  readonly reported?: readonly string[];
}
/** A sub-agent, as the thread that started it shows it. Its own events are those of its thread. */
export interface AgentProgress {
  readonly thread_id: string;
  /** Short, and unlike those of its siblings: `explorer 2`. */
  readonly name: string;
  /** Null: none was named. */
  readonly role: string | null;
  /** `stopped`: the model, the person or the end of the program stopped it; one that a kill cut off can continue. */
  readonly state: "running" | "completed" | "failed" | "stopped";
  /** Its running or last command or call, in a few words; null: none yet. */
  readonly last_action: string | null;
  /** Input and output of all its requests. */
  readonly tokens: number;
  /** The part of them that came from the cache. Absent: an earlier version saved it. */
  readonly cached_tokens?: number;
  /** In US dollars, with those of its own sub-agents; null: its model's price is not known. */
  readonly cost: number | null;
  /** Its git worktree. Absent: it has none, or none any more, because it changed nothing. */
  readonly worktree?: AgentWorktree;
  /** The sub-agents that it started, whose tokens are not in its own. Absent: it started none. */
  readonly agents?: readonly AgentProgress[];
}
/** The git worktree of a sub-agent. */
export interface AgentWorktree {
  readonly path: string;
  readonly branch: string;
  /** A file with its changes, for `git apply`; null: there is none yet. */
  readonly patch: string | null;
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
