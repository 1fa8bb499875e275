import type { McpTool } from "@unroll/protocol";
import type { McpClient } from "./mcp-client.ts";

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
