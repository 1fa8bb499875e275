import type { McpServerUpdatedEvent, McpToolAdaptedEvent } from "@unroll/protocol";

export type McpEvent = McpServerUpdatedEvent | McpToolAdaptedEvent;

/** What happened and was not taken yet. */
export interface EventLog {
  readonly add: (event: McpEvent) => void;
  /** Takes out everything, in order. */
  readonly take: () => readonly McpEvent[];
}

/** Beyond this, news that nobody takes is dropped, but for starts and ends of servers. */
const CAPACITY = 1_000;

export function createEventLog(): EventLog {
  const waiting: McpEvent[] = [];
  return {
    add(event) {
      const isMinor = event.type === "mcp.tool_adapted" || event.state.type === "tools_changed";
      if (waiting.length < CAPACITY || !isMinor) waiting.push(event);
    },
    take: () => waiting.splice(0),
  };
}
