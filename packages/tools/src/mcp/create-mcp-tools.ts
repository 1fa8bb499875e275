import { checkShape } from "@unroll/text";
import type { McpTool } from "@unroll/protocol";
import { defineJsonTool } from "../tool/define-json-tool.ts";
import type { CallableTool } from "../tool/tool.ts";
import type { McpClient } from "./mcp-client.ts";
import { planMcpCall } from "./plan-mcp-call.ts";

/**
 * The tools of MCP servers as tools of the thread, in the order given: one each, `mcp__server__tool`. Those that change
 * nothing, as their server says, run side by side.
 */
export function createMcpTools(tools: readonly McpTool[], client: McpClient): readonly CallableTool[] {
  checkShape("createMcpTools", { tools, client }, { tools: "a list", "client.call": "a function" });
  return tools.map(({ name, server, tool, description, parameters, readOnly }) =>
    defineJsonTool({
      name,
      description: description || `The tool ${tool} of the MCP server ${server}.`,
      parameters,
      concurrency: readOnly ? "shared" : "exclusive",
      plan: async (input, context) =>
        planMcpCall(client, { call: { server, tool, arguments: input }, readOnly }, context),
    }),
  );
}
