/**
 * An MCP server started, became ready, failed, or changed. Every start, failure and delay has such
 * an event.
 */
export interface McpServerUpdatedEvent {
  readonly type: "mcp.server_updated";
  readonly server: string;
  readonly state: McpServerState;
}

/** Field names are the wire's. */
export type McpServerState =
  | { readonly type: "starting" }
  /** `tokens`: what its tools would cost in each request. */
  | { readonly type: "ready"; readonly tools: number; readonly tokens: number; readonly duration_ms: number }
  /** The first request leaves without it; its tools are announced when it is ready. */
  | { readonly type: "delayed"; readonly waited_ms: number }
  /** Its tools are too large for the list of tools; they are found by search. */
  | { readonly type: "left_out"; readonly tokens: number; readonly max_tokens: number }
  | {
      readonly type: "failed";
      /** A thread cannot start without it. */
      readonly required: boolean;
      readonly code: string;
      /** The reason, and what to do. */
      readonly message: string;
      /** The end of what it wrote to stderr, without credentials; empty where that is nothing. */
      readonly stderr_tail: string;
    }
  /** It ended by itself. The next call starts it again. */
  | { readonly type: "closed"; readonly message: string }
  /** Its list of tools has changed. The thread's own list stays; the model gets a message. */
  | {
      readonly type: "tools_changed";
      readonly added: readonly string[];
      readonly removed: readonly string[];
      /** Described in another way than before, or taking other arguments. */
      readonly changed: readonly string[];
    };

/** A tool that is not offered as its server describes it. */
export interface McpToolAdaptedEvent {
  readonly type: "mcp.tool_adapted";
  readonly server: string;
  readonly tool: string;
  /** Its name for the model; null: it is left out. */
  readonly name: string | null;
  readonly reason: string;
}
