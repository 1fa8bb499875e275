import * as z from "zod";
import { defineTool } from "../tool/define-tool.ts";
import type { CallableTool } from "../tool/tool.ts";
import { describeTool } from "./describe-tool.ts";
import type { McpClient } from "./mcp-client.ts";
import { rankTools } from "./rank-tools.ts";

const defaultLimit = 5;
const maxLimit = 20;

/** Finds tools that the thread does not list. */
export function createMcpSearchTool(client: McpClient): CallableTool {
  return defineTool({
    name: "mcp_search",
    description:
      "Searches all tools of all MCP servers by name and description, those that are not in your list of tools too, and shows their input schemas. Call what you find with mcp_call.",
    input: z.strictObject({
      query: z.string().min(1).describe("A few words for what the tool should do."),
      limit: z
        .number()
        .int()
        .min(1)
        .max(maxLimit)
        .optional()
        .describe(`How many to show; ${defaultLimit} unless given.`),
    }),
    concurrency: "shared",
    async run({ query, limit = defaultLimit }) {
      const tools = client.tools();
      const found = rankTools(tools, query);
      if (found.length === 0) return describeMiss(tools);
      const shown = found.slice(0, limit);
      const heading = `${found.length} tools fit; ${shown.length} shown, the best first. Call one with mcp_call.`;
      return [heading, ...shown.map((tool) => describeTool(tool))].join("\n");
    },
  });
}

function describeMiss(tools: ReturnType<McpClient["tools"]>): string {
  const servers = [...new Set(tools.map(({ server }) => server))];
  if (servers.length === 0) return "No MCP server is up yet, so there is no tool to find. Go on without them.";
  return `None of the ${tools.length} tools fits. The servers that are up are: ${servers.join(", ")}. Try other words.`;
}
