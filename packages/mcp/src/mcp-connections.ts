import type {
  McpAnnouncement,
  McpCall,
  McpCallOutcome,
  McpFailure,
  McpProgress,
  McpResourceList,
  McpResourceOutcome,
  McpResourceQuery,
  McpTool,
} from "@unroll/protocol";
import type { McpEvent } from "./connection/event-log.ts";
import type { McpTokenStore } from "./oauth/token-store.ts";
import type { McpServerOptions } from "./server-options.ts";
import type { ElicitationPort } from "./session/elicitation.ts";

export interface McpConnectionsOptions {
  readonly servers: readonly McpServerOptions[];
  /** Who connects, as servers see it. */
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Folders that servers are told to work in; absolute. */
  readonly roots: readonly string[];
  /** Gets `<server>.log`, what each server writes to stderr: at most 2 MiB a server, readable by its owner only. Absolute. */
  readonly logDirectory: string;
  readonly tokens: McpTokenStore;
  /** Absent: what servers ask of the person is declined. */
  readonly elicit?: ElicitationPort;
  /** How much the tools of all servers may cost in every request, in tokens. Absent: 15,000. */
  readonly maxSchemaTokens?: number;
  /** How large one answer may be, in bytes. Absent: 10 MiB. */
  readonly maxMessageBytes?: number;
  /** Makes an id that was never made before, of letters, digits and `-`; it begins the `UNROLL_PROCESS_ID` of each program. */
  readonly newId: () => string;
  /** A monotonic clock in ms. */
  readonly now: () => number;
}

/** The MCP servers of a thread. Close it when the thread ends: it stops all that it started. */
export interface McpConnections extends AsyncDisposable {
  /**
   * Waits for the servers before the first request of a new thread, and settles which tools the thread lists: those of
   * the servers that are up by then and not left out for size. To be called once, instead of `adopt`.
   */
  whenReady(options: McpWaitOptions): Promise<McpReadiness>;
  /** For a thread that is resumed: it lists and knows these tools, and waits for nothing. Instead of `whenReady`. */
  adopt(known: readonly McpTool[]): void;
  /**
   * Takes out the tools that the thread does not know and has to be told of, before each request: those of servers that
   * came up late, and once those of servers that were left out. Empty before `whenReady` or `adopt`.
   */
  takeAnnouncements(): readonly McpAnnouncement[];
  /** Takes out what happened since the last time, in order. */
  takeEvents(): readonly McpEvent[];
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
}

export interface McpWaitOptions {
  /** How long to wait for servers that are not required, in ms. */
  readonly graceMs: number;
  /** Waits for all of them as long as they may take. */
  readonly waitForAll: boolean;
  readonly signal: AbortSignal;
}

export type McpReadiness =
  /** `tools`: for the thread's list, sorted by name. Plain data, to be stored with the thread. */
  | { readonly type: "ready"; readonly tools: readonly McpTool[] }
  /** A server that the thread cannot start without is not up. Told as soon as it is known. */
  | { readonly type: "required_failed"; readonly server: string; readonly failure: McpFailure }
  | { readonly type: "aborted" };

export interface McpCallContext {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: McpProgress) => void;
}

/** One server as a person wants to see it. */
export interface McpServerStatus {
  readonly id: string;
  readonly state: "disabled" | "starting" | "ready" | "failed";
  /** Empty unless it is ready. */
  readonly tools: readonly McpTool[];
  /** About what they cost in every request. */
  readonly tokens: number;
  /** Why it failed or ended; null otherwise. */
  readonly failure: McpFailure | null;
}
