import type { McpCall, McpCallOutcome, McpFailure, McpProgress, McpToolCallThreadItem } from "@unroll/protocol";
import type { CallContext, CallEnd, PlanContext, PlannedCall, ToolResult } from "../tool/tool.ts";
import { findMcpTool, type McpClient } from "./mcp-client.ts";
import { toFailureOutput, toMcpOutput } from "./to-mcp-output.ts";
import type { GatedCall } from "../port/call-gate.ts";

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
  const text = content.find((part) => part.type === "text");
  return {
    output: toMcpOutput(outcome),
    result: {
      content: content.map((part) => (part.type === "unknown" ? part.value : part)),
      structured_content: structuredContent,
    },
    error: isError ? { message: text?.text ?? "The tool reported an error without a text." } : null,
  };
}

/** A request to a server: what is shown, what is judged, what is sent. */
interface McpRequest {
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

/** A request to a server, which reports its start, progress and end to the thread. */
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

/** Hands on the newest value when the last one has been taken, and drops those that came between. */
interface LatestOnly<Value> {
  readonly push: (value: Value) => void;
  /** Resolves when nothing is being handed on. */
  readonly settle: () => Promise<void>;
}

function createLatestOnly<Value>(take: (value: Value) => Promise<void>): LatestOnly<Value> {
  let waiting: readonly Value[] = [];
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (let value = waiting[0]; value !== undefined; value = waiting[0]) {
      waiting = [];
      await take(value);
    }
    working = undefined;
  }

  return {
    push(value) {
      waiting = [value];
      working ??= work();
    },
    settle: async () => working,
  };
}
