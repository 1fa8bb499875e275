import type { McpServerUpdatedEvent, McpToolAdaptedEvent } from "@unroll/protocol";

/** What the pool of servers tells a thread. */
export type McpEvent = McpServerUpdatedEvent | McpToolAdaptedEvent;

/** Beyond this many, news that is kept for somebody is dropped, but for starts and ends of servers. */
const capacity = 1_000;

/** Adds to news that waits for somebody. */
export function keepEvent(waiting: McpEvent[], event: McpEvent): void {
  const isMinor = event.type === "mcp.tool_adapted" || event.state.type === "tools_changed";
  if (waiting.length < capacity || !isMinor) waiting.push(event);
}
