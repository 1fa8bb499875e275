import type { McpCall, McpCallOutcome, McpContent } from "@unroll/protocol";
import type { ToolContext, ToolResult } from "../tool/tool.ts";
import type { McpClient } from "./mcp-client.ts";
import { type McpCallEnd, tellMcpCall, toFailedEnd } from "./tell-mcp-call.ts";
import { toMcpOutput } from "./to-mcp-output.ts";

/** Calls a tool of a server by the names that config and server use. */
export function callMcpTool(client: McpClient, call: McpCall, context: ToolContext): Promise<ToolResult> {
  return tellMcpCall(call, context, async (onProgress) =>
    toCallEnd(await client.call(call, { signal: context.signal, onProgress })),
  );
}

function toCallEnd(outcome: McpCallOutcome): McpCallEnd {
  if (outcome.type === "failed") return toFailedEnd(outcome);
  const { content, structuredContent, isError } = outcome;
  return {
    output: toMcpOutput(outcome),
    result: { content: content.map(toWire), structured_content: structuredContent },
    error: isError ? { message: firstTextOf(content) } : null,
  };
}

function toWire(part: McpContent): unknown {
  return part.type === "unknown" ? part.value : part;
}

function firstTextOf(content: readonly McpContent[]): string {
  const text = content.find((part) => part.type === "text");
  return text?.text ?? "The tool reported an error without a text.";
}
