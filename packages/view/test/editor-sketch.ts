// A third front end: updates for an editor over the Agent Client Protocol, from the difference of two views.
import type { ThreadItem } from "@unroll/protocol";
import type { Cell, ThreadView } from "@unroll/view";

type SessionUpdate = Readonly<Record<string, unknown>> & { readonly sessionUpdate: string };

export function toSessionUpdates(before: ThreadView, after: ThreadView): readonly SessionUpdate[] {
  const old = new Map(before.cells.map((cell) => [cell.key, cell]));
  const changed = after.cells.filter((cell) => old.get(cell.key) !== cell);
  const plan = after.plan !== before.plan && after.plan !== null ? [toPlan(after.plan.items)] : [];
  return [...plan, ...changed.flatMap((cell) => toUpdate(cell, old.get(cell.key) ?? null))];
}

function toUpdate(cell: Cell, before: Cell | null): readonly SessionUpdate[] {
  if (cell.type !== "item") return [];
  const { item } = cell;
  const text = (each: Cell | null): string => (each?.type === "item" && "text" in each.item ? each.item.text : "");
  const chunk = { content: { type: "text", text: text(cell).slice(text(before).length) } };
  if (item.type === "agent_message") return [{ sessionUpdate: "agent_message_chunk", ...chunk }];
  if (item.type === "reasoning") return [{ sessionUpdate: "agent_thought_chunk", ...chunk }];
  const call = { toolCallId: cell.key, title: toTitle(item), status: "status" in item ? item.status : "completed" };
  if (item.type === "todo_list" || item.type === "error") return [];
  return [{ sessionUpdate: before === null ? "tool_call" : "tool_call_update", ...call }];
}

function toTitle(item: ThreadItem): string {
  return item.type === "command_execution" ? item.command : item.type === "tool_call" ? item.tool : item.type;
}

function toPlan(items: readonly { readonly text: string; readonly completed: boolean }[]): SessionUpdate {
  const entries = items.map(({ text, completed }) => ({ content: text, status: completed ? "completed" : "pending" }));
  return { sessionUpdate: "plan", entries };
}
