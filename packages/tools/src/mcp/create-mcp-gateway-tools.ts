import { checkShape } from "@unroll/text";
import type { CallableTool } from "../tool/tool.ts";
import type { McpClient } from "./mcp-client.ts";
import { createMcpCallTool } from "./create-mcp-call-tool.ts";
import { createMcpResourceTools } from "./mcp-resource-tools.ts";
import { createMcpSearchTool } from "./mcp-search-tool.ts";

/**
 * The tools by which everything of every MCP server can be reached, now or later. Their specs never change: list them
 * from the start of a thread wherever a server is configured.
 */
export function createMcpGatewayTools(client: McpClient): readonly CallableTool[] {
  checkShape("createMcpGatewayTools", client, { call: "a function" });
  return [createMcpCallTool(client), createMcpSearchTool(client), ...createMcpResourceTools(client)];
}
