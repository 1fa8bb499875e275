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
 * A tool as its server tells of it now, by the server's name for it, or else by ours; null where the server is not up, or has no such tool.
 * Whether a call only reads goes by this alone, however it is called, and never by what was listed once.
 */
export function findMcpTool(
  client: Pick<McpClient, "tools">,
  { server, tool }: { readonly server: string; readonly tool: string },
): McpTool | null {
  const own = client.tools().filter((each) => each.server === server);
  return own.find((each) => each.tool === tool) ?? own.find((each) => each.name === tool) ?? null;
}
