import type { McpServerUpdatedEvent, McpToolAdaptedEvent } from "@unroll/protocol";

/** An event of the pool for a thread. */
export type McpEvent = McpServerUpdatedEvent | McpToolAdaptedEvent;

/** Beyond this number, waiting events are dropped, except starts and ends of servers. */
const capacity = 1_000;

/** Adds an event to a waiting list. */
export function keepEvent(waiting: McpEvent[], event: McpEvent): void {
  const isMinor = event.type === "mcp.tool_adapted" || event.state.type === "tools_changed";
  if (waiting.length < capacity || !isMinor) waiting.push(event);
}
