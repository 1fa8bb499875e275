import { checkShape } from "@unroll/text";
import * as z from "zod";
import type { McpResourceQuery } from "@unroll/protocol";
import type { CallableTool } from "../tool/tool.ts";
import { findMcpTool, type McpClient } from "./mcp-client.ts";
import { definePlannedTool } from "../tool/define-planned-tool.ts";
import { type McpEnd, planMcpCall, planMcpRequest, toFailedEnd } from "./plan-mcp-call.ts";
import { defineTool } from "../tool/define-tool.ts";
import { describeTool } from "./describe-tool.ts";
import { rankTools } from "./rank-tools.ts";
import { toResourceOutput } from "./to-mcp-output.ts";

/**
 * The tools by which everything of every MCP server can be reached, now or later. Their specs never change: list them
 * from the start of a thread wherever a server is configured.
 */
export function createMcpGatewayTools(client: McpClient): readonly CallableTool[] {
  checkShape("createMcpGatewayTools", client, { call: "a function" });
  return [createMcpCallTool(client), createMcpSearchTool(client), ...createMcpResourceTools(client)];
}

const callInput = z.strictObject({
  server: z.string().min(1).describe("The server's name, as announced."),
  tool: z.string().min(1).describe("The tool's name, as announced."),
  arguments: z.looseObject({}).describe("What the tool's input schema asks for; {} where it asks for nothing."),
});

/** The gateway to the tools that the thread does not list. Its schema is the same whatever servers there are. */
function createMcpCallTool(client: McpClient): CallableTool {
  return definePlannedTool({
    name: "mcp_call",
    description:
      "Calls a tool of an MCP server that is not in your list of tools: one that was announced in a message or found with mcp_search. Tools that are in your list are called directly.",
    input: callInput,
    concurrency: (wanted) => (findMcpTool(client, wanted)?.readOnly ? "shared" : "exclusive"),
    async plan({ server, tool, arguments: input }, context) {
      const call = { server, tool: findMcpTool(client, { server, tool })?.tool ?? tool, arguments: input };
      return planMcpCall(client, call, context);
    },
  });
}

const defaultLimit = 5;
const maxLimit = 20;

const searchInput = z.strictObject({
  query: z.string().min(1).describe("A few words for what the tool should do."),
  limit: z.number().int().min(1).max(maxLimit).optional().describe(`How many to show; ${defaultLimit} unless given.`),
});

/** Finds tools that the thread does not list. */
function createMcpSearchTool(client: McpClient): CallableTool {
  return defineTool({
    name: "mcp_search",
    description:
      "Searches all tools of all MCP servers by name and description, those that are not in your list of tools too, and shows their input schemas. Call what you find with mcp_call.",
    input: searchInput,
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

const pageSchema = z.strictObject({
  server: z.string().min(1).optional().describe("One server only; all of them unless given."),
  cursor: z.string().min(1).optional().describe("The nextCursor of the page before, of the same server."),
});

/** `list_mcp_resources`, `list_mcp_resource_templates` and `read_mcp_resource`. */
function createMcpResourceTools(client: McpClient): readonly CallableTool[] {
  return [
    createListTool(client, {
      kind: "resources",
      name: "list_mcp_resources",
      description: "Lists the resources of MCP servers: files, records and other data that read_mcp_resource reads.",
    }),
    createListTool(client, {
      kind: "templates",
      name: "list_mcp_resource_templates",
      description: "Lists the patterns of MCP servers' resource addresses, to be filled in for read_mcp_resource.",
    }),
    createReadTool(client),
  ];
}

interface ListTool {
  readonly kind: McpResourceQuery["kind"];
  readonly name: string;
  readonly description: string;
}

function createListTool(client: McpClient, { kind, name, description }: ListTool): CallableTool {
  return definePlannedTool({
    name,
    description,
    input: pageSchema,
    concurrency: "shared",
    async plan(input, context) {
      const { server = null, cursor = null } = input;
      if (server === null && cursor !== null) {
        return { type: "call.rejected", message: "A cursor is of one server: call again with that server, too." };
      }
      return planMcpRequest(
        {
          call: { server: server ?? "*", tool: name, arguments: input },
          gated: { type: "tool", tool: name, arguments: input, approval: "run" },
          send: ({ signal }) => list(client, { kind, server, cursor }, signal),
        },
        context,
      );
    },
  });
}

async function list(client: McpClient, query: McpResourceQuery, signal: AbortSignal): Promise<McpEnd> {
  const listed = await client.listResources(query, signal);
  if (listed.type === "failed") return toFailedEnd(listed);
  const { entries, nextCursor, failures } = listed;
  const found = {
    [query.kind]: entries,
    ...(nextCursor === null ? {} : { nextCursor }),
    ...(failures.length > 0 ? { failures } : {}),
  };
  return { output: JSON.stringify(found), result: { content: [], structured_content: found }, error: null };
}

const readInput = z.strictObject({
  server: z.string().min(1).describe("The server that has it."),
  uri: z.string().min(1).describe("Its address, from a list or a filled-in template."),
});

function createReadTool(client: McpClient): CallableTool {
  const name = "read_mcp_resource";
  return definePlannedTool({
    name,
    description: "Reads a resource of an MCP server.",
    input: readInput,
    concurrency: "shared",
    plan: async (input, context) =>
      planMcpRequest(
        {
          call: { server: input.server, tool: name, arguments: { uri: input.uri } },
          gated: { type: "tool", tool: name, arguments: input, approval: "run" },
          send: ({ signal }) => read(client, input, signal),
        },
        context,
      ),
  });
}

async function read(
  client: McpClient,
  resource: { readonly server: string; readonly uri: string },
  signal: AbortSignal,
): Promise<McpEnd> {
  const answer = await client.readResource(resource, signal);
  if (answer.type === "failed") return toFailedEnd(answer);
  const content = answer.contents.map((each) => ({ type: "resource", resource: each }));
  return { output: toResourceOutput(answer.contents), result: { content, structured_content: null }, error: null };
}
