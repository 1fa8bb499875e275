import type {
  McpCall,
  McpCallOutcome,
  McpProgress,
  McpResourceList,
  McpResourceOutcome,
  McpResourceQuery,
  McpTool,
} from "@unroll/protocol";

/** The MCP servers as tools use them. Expected failures are outcomes, never exceptions. Implemented by `mcp`. */
export interface McpClient {
  /** All tools that can be called now, listed by the thread or not. */
  tools(): readonly McpTool[];
  call(
    call: McpCall,
    context: { readonly signal: AbortSignal; readonly onProgress: (progress: McpProgress) => void },
  ): Promise<McpCallOutcome>;
  listResources(query: McpResourceQuery, signal: AbortSignal): Promise<McpResourceList>;
  readResource(
    resource: { readonly server: string; readonly uri: string },
    signal: AbortSignal,
  ): Promise<McpResourceOutcome>;
}

/**
 * Finds a tool in its server's current list, by the server's name for it, or by ours; null: the
 * server is not running, or has no such tool. Whether a call only reads depends on this alone,
 * never on an earlier list.
 */
export function findMcpTool(
  client: Pick<McpClient, "tools">,
  { server, tool }: { readonly server: string; readonly tool: string },
): McpTool | null {
  const own = client.tools().filter((each) => each.server === server);
  return own.find((each) => each.tool === tool) ?? own.find((each) => each.name === tool) ?? null;
}
