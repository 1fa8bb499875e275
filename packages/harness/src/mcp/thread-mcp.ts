import type { ToolRuntime } from "@unroll/core";
import type { McpEvent, McpView } from "@unroll/mcp";
import type { McpTool, ResponseItem, ThreadEvent, TurnOutcome } from "@unroll/protocol";
import { createMcpGatewayTools, createMcpTools, renderMcpAnnouncements, type Tool } from "@unroll/tools";

/** What a thread has of its MCP servers. */
export interface ThreadMcp {
  /** For the end of the thread's list: the gateway, then the tools of the servers that were up in time. */
  readonly tools: readonly Tool[];
  /** Takes out the message on tools that came too late for the list, or are too large for it; empty where there is none. */
  takeAnnouncements(): readonly ResponseItem[];
  /** The runtime, with such a message behind the outputs of its calls: it never makes a request of its own. */
  announceAfterCalls(runtime: ToolRuntime): ToolRuntime;
  /** The turn, with what happens to the servers told as it happens, and nothing of it behind the terminal event. */
  tellEvents(turn: AsyncGenerator<ThreadEvent, TurnOutcome>): AsyncGenerator<ThreadEvent, TurnOutcome>;
}

/** For a thread that lists these tools of the servers. */
export function createThreadMcp(
  mcp: McpView,
  listed: readonly McpTool[],
  takeEvents: () => readonly McpEvent[],
): ThreadMcp {
  function takeAnnouncements(): readonly ResponseItem[] {
    const text = renderMcpAnnouncements(mcp.takeAnnouncements());
    return text === "" ? [] : [{ type: "message", role: "developer", content: [{ type: "input_text", text }] }];
  }

  return {
    tools: [...createMcpGatewayTools(mcp), ...createMcpTools(listed, mcp)],
    takeAnnouncements,
    announceAfterCalls: (runtime) => ({
      ...runtime,
      async *run(calls, context) {
        const items = yield* runtime.run(calls, context);
        return [...items, ...takeAnnouncements()];
      },
    }),
    async *tellEvents(turn) {
      try {
        for (;;) {
          const next = await turn.next();
          if (next.done === true) return next.value;
          yield* takeEvents();
          yield next.value;
        }
      } finally {
        await turn[Symbol.asyncDispose]();
      }
    },
  };
}

/** For a thread without MCP servers. */
export const noMcp: ThreadMcp = {
  tools: [],
  takeAnnouncements: () => [],
  announceAfterCalls: (runtime) => runtime,
  tellEvents: (turn) => turn,
};
