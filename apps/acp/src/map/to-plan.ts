import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { TodoListThreadItem } from "@unroll/protocol";

/** The model tells what is done, and nothing of what matters most. */
export function toPlan({ items }: TodoListThreadItem): SessionUpdate {
  const entries = items.map(({ text, completed }) => ({
    content: text,
    priority: "medium" as const,
    status: completed ? ("completed" as const) : ("pending" as const),
  }));
  return { sessionUpdate: "plan", entries };
}
