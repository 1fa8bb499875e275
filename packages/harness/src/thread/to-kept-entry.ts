import type { JournalEntry, ThreadEvent } from "@unroll/protocol";

/** The entry by which a journal keeps an event, so that the thread can be shown again; null: its other entries tell it, or it passes. */
export function toKeptEntry(event: ThreadEvent): JournalEntry | null {
  switch (event.type) {
    case "item.completed":
      // A plan ends with its turn; its last state is enough.
      return event.item.type === "todo_list" ? null : { type: "item.ended", item: event.item };
    case "item.started":
    case "item.updated": {
      const { type, item } = event;
      const isUpdated = type === "item.updated";
      const isStored =
        item.type === "todo_list" ||
        (item.type === "command_execution" && isUpdated) ||
        (item.type === "tool_call" && item.output !== null && isUpdated);
      return isStored ? { type: "told", event: { type: "item.updated", item } } : null;
    }
    case "question.asked":
    case "question.answered":
    case "compaction.started":
    case "compaction.completed":
    case "epoch.opened":
    case "host.allowed":
    case "host.denied":
    case "host.closed":
      return { type: "told", event };
    case "thread.started":
    case "sandbox.updated":
    case "turn.started":
    case "input.received":
    case "request.started":
    case "request.completed":
    case "turn.completed":
    case "turn.failed":
    case "item.delta":
    case "stream.retrying":
    case "context_window.updated":
    case "budget.updated":
    case "mcp.server_updated":
    case "mcp.tool_adapted":
    case "warning":
    case "events.skipped":
      return null;
  }
}
