import type { McpTool } from "@unroll/protocol";

/** How the model is to call a tool: through `mcp_call`, by its server and the server's name for it, or by the name that lists have. */
export type ToolNaming = "through_gateway" | "by_name";

/** A tool on one line, as JSON that cannot end a tag around it: servers write these texts. */
export function describeTool(tool: McpTool, naming: ToolNaming = "through_gateway"): string {
  const { description, parameters } = tool;
  return escapeTags(JSON.stringify({ ...identify(tool, naming), description, input_schema: parameters }));
}

/** The same, without what takes room. */
export function nameTool(tool: Pick<McpTool, "name" | "server" | "tool">, naming: ToolNaming): string {
  return escapeTags(JSON.stringify(identify(tool, naming)));
}

function identify({ name, server, tool }: Pick<McpTool, "name" | "server" | "tool">, naming: ToolNaming): object {
  return naming === "by_name" ? { name } : { server, tool };
}

function escapeTags(json: string): string {
  return json.replaceAll("<", "\\u003c");
}
