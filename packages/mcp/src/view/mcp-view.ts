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

/** What a thread brings to its view of the servers. */
export interface McpJoinOptions {
  /** For a thread that is resumed: what its model was told of the tools; see `McpReadiness` and `known`. Absent: a new thread. */
  readonly known?: ToldTools;
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
   * Takes out how the tools differ from what the thread's model knows, to be asked before each request: tools of servers that came
   * up late, or were left out for size, and what changed since. Of a server that is down nothing is taken: a call starts it again.
   * The model knows them from then on. Empty before the list is settled.
   */
  takeAnnouncements(): readonly McpAnnouncement[];
  /** The thread went back to where its model knew these: it is told anew how the tools differ. */
  resetKnown(known: ToldTools): void;
  /** What the thread's model knows of the tools by now; to be stored with the thread, and given back as `known.told`. */
  known(): readonly KnownMcpTool[];
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
