import type { McpCall, McpCallResult, McpProgress, McpResourceContents } from "@unroll/protocol";
import type { ListedTool } from "../tool/to-mcp-tools.ts";

/** A server that has been greeted. All of it throws `ServerFault` and nothing else; after `close` it is not to be used. */
export interface Session {
  /** In the server's order, all pages. */
  listTools(signal: AbortSignal): Promise<readonly ListedTool[]>;
  callTool(call: Pick<McpCall, "tool" | "arguments">, context: SessionCallContext): Promise<McpCallResult>;
  /** One page; empty where the server has no resources. */
  listResources(query: ResourcePageQuery, signal: AbortSignal): Promise<ResourcePage>;
  readResource(uri: string, signal: AbortSignal): Promise<readonly McpResourceContents[]>;
  /** Whether it waits for a person's answer. */
  isAsking(): boolean;
  /** Resolves when nothing of it is left. */
  close(): Promise<void>;
}

export interface SessionCallContext {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: McpProgress) => void;
}

export interface ResourcePageQuery {
  readonly kind: "resources" | "templates";
  /** Null: the first page. */
  readonly cursor: string | null;
}

export interface ResourcePage {
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  /** Null: the last page. */
  readonly nextCursor: string | null;
}
