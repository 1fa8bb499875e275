import type {
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
import type { McpWaitOptions } from "./wait-for-servers.ts";

/** What a thread brings to its view of the servers. */
export interface McpJoinOptions {
  /**
   * For a thread that is resumed: the names of the tools that it listed, and of those that it was told of; see
   * `McpReadiness` and `takeAnnouncements`. Absent: a new thread.
   */
  readonly known?: readonly string[];
  /**
   * Gets what servers ask of the person while calls of this view run. A question that could be for a call of another view
   * is declined. Absent: all are.
   */
  readonly elicit?: ElicitationPort;
  /** How much the tools that the thread lists may cost in every request, in tokens. Absent: 15,000. */
  readonly maxSchemaTokens?: number;
}

/** The servers of a pool as one thread knows and uses them. */
export interface McpView {
  /**
   * Waits for the servers before the first request of a new thread, and settles which tools the thread lists: those of
   * the servers that are up by then and not left out for size. To be called once. Where the view was joined with `known`
   * there is nothing to settle: it waits for nothing, and `tools` is empty.
   */
  whenReady(options: McpWaitOptions): Promise<McpReadiness>;
  /**
   * Takes out the tools that the thread does not know and has to be told of, before each request: those of servers that
   * came up late, and once those of servers that were left out. Their names belong to what is `known` from then on. Empty
   * before the list is settled.
   */
  takeAnnouncements(): readonly McpAnnouncement[];
  /**
   * Tells what happens to the servers at once, also in silence. The first listener is told first what happened before, of
   * each server since its last start began. Returns what ends it.
   */
  onEvent(listener: (event: McpEvent) => void): () => void;
  /** All tools that can be called now, listed by the thread or not; sorted by name. */
  tools(): readonly McpTool[];
  /** In the order of the config. */
  servers(): readonly McpServerStatus[];
  /** Calls a tool. Starts its server where it is not up. Never throws for what a server does. */
  call(call: McpCall, context: McpCallContext): Promise<McpCallOutcome>;
  listResources(query: McpResourceQuery, signal: AbortSignal): Promise<McpResourceList>;
  readResource(
    resource: { readonly server: string; readonly uri: string },
    signal: AbortSignal,
  ): Promise<McpResourceOutcome>;
  /** Leaves: cancels what the view waits for and ends its events. The servers and the other views go on. */
  close(): void;
}

export type McpReadiness =
  /** `tools`: for the thread's list, sorted by name. Plain data, to be stored with the thread. */
  | { readonly type: "ready"; readonly tools: readonly McpTool[] }
  /** A server that the thread cannot start without is not up. Told as soon as it is known. */
  | { readonly type: "required_failed"; readonly server: string; readonly failure: McpFailure }
  | { readonly type: "aborted" };

interface McpCallContext {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: McpProgress) => void;
}
