import { bytesPerToken, checkShape } from "@unroll/text";
import { Buffer } from "node:buffer";
import type { McpTool } from "@unroll/protocol";

/** About how many tokens a tool costs in every request: its size as JSON. */
export function estimateToolTokens(tool: Pick<McpTool, "name" | "description" | "parameters">): number {
  checkShape("estimateToolTokens", tool, { name: "text", description: "text", parameters: "an object" });
  const { name, description, parameters } = tool;
  const spec = JSON.stringify({ type: "function", name, description, strict: false, parameters });
  return Math.ceil(Buffer.byteLength(spec) / bytesPerToken);
}

/** About how many tokens all tools of a server cost. */
export function sumToolTokens(tools: readonly McpTool[]): number {
  return tools.reduce((sum, tool) => sum + estimateToolTokens(tool), 0);
}
