import type { McpCall, McpFailure, McpProgress, McpToolCallThreadItem } from "@unroll/protocol";
import type { ToolContext, ToolResult } from "../tool/tool.ts";
import { createLatestOnly } from "./latest-only.ts";
import { toFailureOutput } from "./to-mcp-output.ts";

/** How a request of a server ended: for the thread, and for the model. */
export interface McpCallEnd extends Pick<McpToolCallThreadItem, "result" | "error"> {
  readonly output: ToolResult["output"];
}

/** A request that a server did not answer. */
export function toFailedEnd(failure: McpFailure): McpCallEnd {
  return { output: toFailureOutput(failure), result: null, error: { message: failure.message } };
}

/** Makes a request of a server and tells the thread of it, from its start over its progress to its end. */
export async function tellMcpCall(
  call: McpCall,
  { nextItemId, emit }: ToolContext,
  run: (onProgress: (progress: McpProgress) => void) => Promise<McpCallEnd>,
): Promise<ToolResult> {
  const { server, tool, arguments: input } = call;
  const begun = {
    id: nextItemId(),
    type: "mcp_tool_call",
    server,
    tool,
    arguments: input,
    result: null,
    error: null,
  } as const;
  const item: McpToolCallThreadItem = { ...begun, status: "in_progress" };
  const progress = createLatestOnly((latest: McpProgress) =>
    emit({ type: "item.updated", item: { ...item, progress: latest } }),
  );
  let ended: McpToolCallThreadItem = { ...item, status: "failed" };
  await emit({ type: "item.started", item });
  try {
    const { output, result, error } = await run(progress.push);
    ended = { ...item, result, error, status: error === null ? "completed" : "failed" };
    return { output };
  } finally {
    await progress.settle();
    await emit({ type: "item.completed", item: ended });
  }
}
