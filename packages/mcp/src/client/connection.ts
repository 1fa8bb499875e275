import type { McpCall, McpCallResult, McpProgress, McpResourceContents } from "@unroll/protocol";
import type { ListedTool } from "../tool/to-mcp-tools.ts";
import type { ElicitationPort } from "./elicitation.ts";

/** A connection to a greeted server. Its methods throw only `ServerFault`. Do not use it after `close`. */
export interface Connection {
  /** In the server's order, all pages. */
  listTools(signal: AbortSignal): Promise<readonly ListedTool[]>;
  callTool(call: Pick<McpCall, "tool" | "arguments">, context: CallContext): Promise<McpCallResult>;
  /** One page; empty if the server has no resources. */
  listResources(query: ResourcePageQuery, signal: AbortSignal): Promise<ResourcePage>;
  readResource(uri: string, signal: AbortSignal): Promise<readonly McpResourceContents[]>;
  /** Whether the server waits for an answer from this port. */
  isAsking(elicit: ElicitationPort): boolean;
  /** Resolves when nothing of it is left. */
  close(): Promise<void>;
}

export interface CallContext {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: McpProgress) => void;
  /** Receives the server's questions while the call runs. Null: they are declined. */
  readonly elicit: ElicitationPort | null;
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
