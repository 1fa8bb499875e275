import type { McpResourceQuery } from "@unroll/protocol";
import * as z from "zod";
import { definePlannedTool } from "../tool/define-planned-tool.ts";
import type { CallableTool } from "../tool/tool.ts";
import type { McpClient } from "./mcp-client.ts";
import { type McpEnd, planMcpRequest, toFailedEnd } from "./plan-mcp-request.ts";
import { toResourceOutput } from "./to-mcp-output.ts";

const pageSchema = z.strictObject({
  server: z.string().min(1).optional().describe("One server only; all of them unless given."),
  cursor: z.string().min(1).optional().describe("The nextCursor of the page before, of the same server."),
});

/** `list_mcp_resources`, `list_mcp_resource_templates` and `read_mcp_resource`. */
export function createMcpResourceTools(client: McpClient): readonly CallableTool[] {
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

function createReadTool(client: McpClient): CallableTool {
  const name = "read_mcp_resource";
  return definePlannedTool({
    name,
    description: "Reads a resource of an MCP server.",
    input: z.strictObject({
      server: z.string().min(1).describe("The server that has it."),
      uri: z.string().min(1).describe("Its address, from a list or a filled-in template."),
    }),
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
