import type { McpCall, McpCallOutcome, McpContent } from "@unroll/protocol";
import type { PlanContext, PlannedCall } from "../tool/tool.ts";
import { findMcpTool } from "./find-mcp-tool.ts";
import type { McpClient } from "./mcp-client.ts";
import { type McpEnd, planMcpRequest, toFailedEnd } from "./plan-mcp-request.ts";
import { toMcpOutput } from "./to-mcp-output.ts";

/** A call of a tool, by the names that config and server use. */
export function planMcpCall(client: McpClient, call: McpCall, context: PlanContext): PlannedCall {
  return planMcpRequest(
    {
      call,
      gated: { type: "mcp", call, readOnly: findMcpTool(client, call)?.readOnly ?? false },
      send: async ({ signal, onProgress }) => toEnd(await client.call(call, { signal, onProgress })),
    },
    context,
  );
}

function toEnd(outcome: McpCallOutcome): McpEnd {
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
