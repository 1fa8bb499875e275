import type { McpCall, McpFailure, McpProgress, McpToolCallThreadItem } from "@unroll/protocol";
import type { GatedCall } from "../port/call-gate.ts";
import type { CallContext, CallEnd, PlanContext, PlannedCall, ToolResult } from "../tool/tool.ts";
import { createLatestOnly } from "./latest-only.ts";
import { toFailureOutput } from "./to-mcp-output.ts";

/** A request to a server: what is shown, what is judged, what is sent. */
export interface McpRequest {
  readonly call: McpCall;
  readonly gated: GatedCall;
  readonly send: (context: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: McpProgress) => void;
  }) => Promise<McpEnd>;
}

/** How a request to a server ended: for the thread, and for the model. */
export interface McpEnd extends Pick<McpToolCallThreadItem, "result" | "error"> {
  readonly output: ToolResult["output"];
}

/** A request that a server did not answer. */
export function toFailedEnd(failure: McpFailure): McpEnd {
  return { output: toFailureOutput(failure), result: null, error: { message: failure.message } };
}

/** A request to a server, which the thread is told of from its start over its progress to its end. */
export function planMcpRequest({ call, gated, send }: McpRequest, { itemId }: PlanContext): PlannedCall {
  const { server, tool, arguments: input } = call;
  const begun = {
    id: itemId,
    type: "mcp_tool_call",
    server,
    tool,
    arguments: input,
    result: null,
    error: null,
  } as const;
  const item: McpToolCallThreadItem = { ...begun, status: "in_progress" };
  return { type: "call.planned", gated, item, run: (_verdict, context) => request(item, send, context) };
}

async function request(
  item: McpToolCallThreadItem,
  send: McpRequest["send"],
  { emit, signal }: CallContext,
): Promise<CallEnd> {
  const progress = createLatestOnly((latest: McpProgress) =>
    emit({ type: "item.updated", item: { ...item, progress: latest } }),
  );
  try {
    const { output, result, error } = await send({ signal, onProgress: progress.push });
    return { answer: { output }, item: { ...item, result, error, status: error === null ? "completed" : "failed" } };
  } finally {
    await progress.settle();
  }
}
