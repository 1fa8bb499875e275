import type { McpEvent, McpView, McpWaitOptions } from "@unroll/mcp";
import type { McpTool } from "@unroll/protocol";
import { HarnessError } from "../harness-error.ts";

/**
 * Waits for the servers before a new thread's first request, and settles which of their tools the thread lists. Throws
 * `HarnessError` `mcp_required_failed` with the events of the servers, and an `AbortError` when the signal aborts.
 */
export async function awaitMcp(
  mcp: McpView,
  wait: McpWaitOptions,
  takeEvents: () => readonly McpEvent[],
): Promise<readonly McpTool[]> {
  const readiness = await mcp.whenReady(wait);
  switch (readiness.type) {
    case "ready":
      return readiness.tools;
    case "aborted":
      throw new DOMException("The wait for MCP servers was interrupted.", "AbortError");
    case "required_failed": {
      const { failure, server } = readiness;
      const how = `The thread cannot start without it: mend it, or set mcp_servers.${server}.required = false.`;
      throw new HarnessError("mcp_required_failed", `${failure.message} ${how}`, { events: takeEvents() });
    }
  }
}
