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
