import { checkShape } from "@unroll/text";
import type { McpTool } from "@unroll/protocol";
import { defineJsonTool } from "../tool/define-json-tool.ts";
import type { CallableTool } from "../tool/tool.ts";
import { findMcpTool } from "./find-mcp-tool.ts";
import type { McpClient } from "./mcp-client.ts";
import { planMcpCall } from "./plan-mcp-call.ts";

/**
 * The tools of MCP servers as tools of the thread, in the order given: one each, `mcp__server__tool`. `tools` says what the model is
 * told of them. Those that change nothing, as their server says when they are called, run side by side.
 */
export function createMcpTools(tools: readonly McpTool[], client: McpClient): readonly CallableTool[] {
  const shape = { tools: "a list", "client.call": "a function", "client.tools": "a function" } as const;
  checkShape("createMcpTools", { tools, client }, shape);
  return tools.map(({ name, server, tool, description, parameters }) =>
    defineJsonTool({
      name,
      description: description || `The tool ${tool} of the MCP server ${server}.`,
      parameters,
      concurrency: () => (findMcpTool(client, { server, tool })?.readOnly ? "shared" : "exclusive"),
      plan: async (input, context) => planMcpCall(client, { server, tool, arguments: input }, context),
    }),
  );
}
