import type {
  KnownMcpTool,
  McpAnnouncement,
  McpCall,
  McpCallOutcome,
  McpFailure,
  McpProgress,
  McpResourceList,
  McpResourceOutcome,
  McpResourceQuery,
  McpServerStatus,
  McpTool,
} from "@unroll/protocol";
import type { ElicitationPort } from "../client/elicitation.ts";
import type { McpEvent } from "../server/mcp-event.ts";
import type { ToldTools } from "./known-tools.ts";
import type { McpWaitOptions } from "./wait-for-servers.ts";

/** Options of a thread's view. */
export interface McpJoinOptions {
  /**
   * For a resumed thread: the tools that its model knows; see `McpReadiness` and `known`. Absent: a
   * new thread.
   */
  readonly known?: ToldTools;
  /**
   * Receives the forms of servers while calls of this view run. A form that could belong to a call
   * of another view is declined. Absent: all are declined.
   */
  readonly elicit?: ElicitationPort;
  /** In tokens: how much the listed tools may cost in every request. Absent: 15,000. */
  readonly maxSchemaTokens?: number;
}

/** The servers of a pool as one thread knows and uses them. */
export interface McpView {
  /**
   * Waits for the servers before the first request of a new thread, and settles its tools: those of
   * the servers that are then up and not left out for size. Call it once. If the view was joined
   * with `known`, it waits for nothing and `tools` is empty.
   */
  whenReady(options: McpWaitOptions): Promise<McpReadiness>;
  /**
   * Returns how the tools differ from what the thread's model knows, and counts the changes as
   * known. Call it before each request. It covers tools of servers that came up late or were left
   * out for size, and later changes. Tools of a server that is down stay: a call starts it again.
   * Empty before the list is settled.
   */
  takeAnnouncements(): readonly McpAnnouncement[];
  /** The thread went back to a point where its model knew these tools: differences are announced again. */
  resetKnown(known: ToldTools): void;
  /**
   * The tools that the thread's model knows. Save them with the thread, and pass them back as
   * `known.told`.
   */
  known(): readonly KnownMcpTool[];
  /**
   * Calls `listener` for each event of the servers, as it happens. The first listener first gets
   * earlier events, from each server's last start on. Returns a function that removes the listener.
   */
  onEvent(listener: (event: McpEvent) => void): () => void;
  /** All tools that can be called now, whether the thread lists them or not; sorted by name. */
  tools(): readonly McpTool[];
  /** In the order of the config. */
  servers(): readonly McpServerStatus[];
  /** Calls a tool, and starts its server if needed. Never throws for what a server does. */
  call(call: McpCall, context: McpCallContext): Promise<McpCallOutcome>;
  listResources(query: McpResourceQuery, signal: AbortSignal): Promise<McpResourceList>;
  readResource(
    resource: { readonly server: string; readonly uri: string },
    signal: AbortSignal,
  ): Promise<McpResourceOutcome>;
  /** Closes the view: cancels its waits and ends its events. The servers and other views continue. */
  close(): void;
}

export type McpReadiness =
  /** `tools`: the thread's list, sorted by name. Plain data, to be saved with the thread. */
  | { readonly type: "ready"; readonly tools: readonly McpTool[] }
  /** A server that the thread requires did not start. Returned as soon as it is known. */
  | { readonly type: "required_failed"; readonly server: string; readonly failure: McpFailure }
  | { readonly type: "aborted" };

interface McpCallContext {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: McpProgress) => void;
}
