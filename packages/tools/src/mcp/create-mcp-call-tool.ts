import * as z from "zod";
import { definePlannedTool } from "../tool/define-planned-tool.ts";
import type { CallableTool } from "../tool/tool.ts";
import { findMcpTool } from "./find-mcp-tool.ts";
import type { McpClient } from "./mcp-client.ts";
import { planMcpCall } from "./plan-mcp-call.ts";

/** The gateway to the tools that the thread does not list. Its schema is the same whatever servers there are. */
export function createMcpCallTool(client: McpClient): CallableTool {
  return definePlannedTool({
    name: "mcp_call",
    description:
      "Calls a tool of an MCP server that is not in your list of tools: one that was announced in a message or found with mcp_search. Tools that are in your list are called directly.",
    input: z.strictObject({
      server: z.string().min(1).describe("The server's name, as announced."),
      tool: z.string().min(1).describe("The tool's name, as announced."),
      arguments: z.looseObject({}).describe("What the tool's input schema asks for; {} where it asks for nothing."),
    }),
    concurrency: (wanted) => (findMcpTool(client, wanted)?.readOnly ? "shared" : "exclusive"),
    async plan({ server, tool, arguments: input }, context) {
      const call = { server, tool: findMcpTool(client, { server, tool })?.tool ?? tool, arguments: input };
      return planMcpCall(client, call, context);
    },
  });
}
