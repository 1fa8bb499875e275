import type { McpTool } from "@unroll/protocol";

/** A tool on one line, as JSON that cannot end a tag around it: servers write these texts. */
export function describeTool({ server, tool, description, parameters }: McpTool): string {
  return escapeTags(JSON.stringify({ server, tool, description, input_schema: parameters }));
}

/** The same, without what takes room. */
export function nameTool({ server, tool }: McpTool): string {
  return escapeTags(JSON.stringify({ server, tool }));
}

function escapeTags(json: string): string {
  return json.replaceAll("<", "\\u003c");
}
