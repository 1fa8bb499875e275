import { checkShape } from "@unroll/text";
import type { KnownMcpTool, McpTool } from "@unroll/protocol";
import { defineJsonTool } from "../tool/define-json-tool.ts";
import type { CallableTool } from "../tool/tool.ts";
import { findMcpTool, type McpClient } from "./mcp-client.ts";
import { planMcpCall } from "./plan-mcp-call.ts";
import type { UnlistedTools } from "../tool/unlisted-tools.ts";

/**
 * The tools of MCP servers as tools of the thread, in the given order, each as `mcp__server__tool`.
 * `tools` describes them to the model. Tools that change nothing, by their server's word at the
 * time of the call, run side by side.
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

/** How many tools or servers a refusal names. */
const maxNames = 30;
const prefix = "mcp__";

/**
 * Tools of MCP servers that came after the thread's list was settled: a call by their name runs
 * like any other. So does a call of a tool that the model knows (`known`) and whose server is down:
 * the call starts it again.
 */
export function createUnlistedMcpTools(
  client: McpClient,
  known: () => readonly KnownMcpTool[],
): Pick<UnlistedTools, "find" | "explain"> {
  checkShape("createUnlistedMcpTools", client, { call: "a function", tools: "a function" });
  return {
    find(name) {
      const isNamed = (tool: { readonly name: string }): boolean => tool.name === name;
      const found = client.tools().find(isNamed) ?? known().filter(isNamed).map(toCallable)[0];
      return found === undefined ? null : (createMcpTools([found], client)[0] ?? null);
    },
    explain: (name) => (name.startsWith(prefix) ? explainMiss(client.tools(), name) : null),
  };
}

/** No request lists it, so nothing of it but its names counts. */
function toCallable({ name, server, tool }: KnownMcpTool): McpTool {
  return { name, server, tool, description: "", parameters: { type: "object", properties: {} }, readOnly: false };
}

function explainMiss(tools: readonly McpTool[], name: string): string {
  const own = tools.filter((tool) => toServerPart(tool.name) === toServerPart(name)).map((tool) => tool.name);
  if (own.length > 0)
    return `Its server has no such tool. It has these, and each runs when you call it by its name: ${listNames(own)}.`;
  const servers = [...new Set(tools.map(({ server }) => server))];
  if (servers.length === 0) return "No MCP server with tools is running.";
  return `No MCP server of that name is running. These are: ${listNames(servers)}.`;
}

/** The server's part of a name, which has no `__` in it. */
function toServerPart(name: string): string {
  return name.slice(prefix.length).split("__")[0] ?? "";
}

function listNames(names: readonly string[]): string {
  const rest = names.length > maxNames ? ` and ${names.length - maxNames} more` : "";
  return names.slice(0, maxNames).join(", ") + rest;
}
