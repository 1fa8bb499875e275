import type { McpResourceQuery } from "@unroll/protocol";
import * as z from "zod";
import { defineTool } from "../tool/define-tool.ts";
import type { CallableTool } from "../tool/tool.ts";
import type { McpClient } from "./mcp-client.ts";
import { tellMcpCall, toFailedEnd } from "./tell-mcp-call.ts";
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
  return defineTool({
    name,
    description,
    input: pageSchema,
    concurrency: "shared",
    run(input, context) {
      const { server = null, cursor = null } = input;
      if (server === null && cursor !== null) {
        return Promise.resolve({ output: "A cursor is of one server: call again with that server, too." });
      }
      return tellMcpCall({ server: server ?? "*", tool: name, arguments: input }, context, async () => {
        const list = await client.listResources({ kind, server, cursor }, context.signal);
        if (list.type === "failed") return toFailedEnd(list);
        const { entries, nextCursor, failures } = list;
        const found = {
          [kind]: entries,
          ...(nextCursor === null ? {} : { nextCursor }),
          ...(failures.length > 0 ? { failures } : {}),
        };
        return { output: JSON.stringify(found), result: { content: [], structured_content: found }, error: null };
      });
    },
  });
}

function createReadTool(client: McpClient): CallableTool {
  return defineTool({
    name: "read_mcp_resource",
    description: "Reads a resource of an MCP server.",
    input: z.strictObject({
      server: z.string().min(1).describe("The server that has it."),
      uri: z.string().min(1).describe("Its address, from a list or a filled-in template."),
    }),
    concurrency: "shared",
    run({ server, uri }, context) {
      return tellMcpCall({ server, tool: "read_mcp_resource", arguments: { uri } }, context, async () => {
        const read = await client.readResource({ server, uri }, context.signal);
        if (read.type === "failed") return toFailedEnd(read);
        const content = read.contents.map((resource) => ({ type: "resource", resource }));
        return { output: toResourceOutput(read.contents), result: { content, structured_content: null }, error: null };
      });
    },
  });
}
