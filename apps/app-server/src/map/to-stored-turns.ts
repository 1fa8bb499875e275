import type { WireInput, WireItem, WireTurn } from "@unroll/app-server-protocol";
import { readStoredTurns, type StoredStep, type StoredTurn } from "@unroll/thread-host";
import type { JournalEntry, TodoListThreadItem, UserInputPart } from "@unroll/protocol";
import { type ItemThread, toWireItem } from "./to-wire-item.ts";
import { toWireError, toWireTurn } from "./to-wire-turn.ts";

/** The turns of a thread that is kept, of its journal. */
export function toStoredTurns(entries: readonly JournalEntry[], thread: ItemThread): readonly WireTurn[] {
  return readStoredTurns(entries).map((turn) => toTurn(turn, thread));
}

function toTurn({ id, steps, end, startedAt, endedAt }: StoredTurn, thread: ItemThread): WireTurn {
  const times = {
    ...(startedAt !== null && { startedAt }),
    ...(endedAt !== null && { completedAt: endedAt }),
  };
  const items = steps.flatMap((step) => toItem(step, thread) ?? []);
  if (end?.type === "turn.failed" && end.error.code !== "interrupted")
    return toWireTurn(id, { status: "failed", error: toWireError(end.error), items, ...times });
  return toWireTurn(id, { status: end?.type === "turn.completed" ? "completed" : "interrupted", items, ...times });
}

function toItem(step: StoredStep, thread: ItemThread): WireItem | null {
  switch (step.type) {
    case "said":
      return { type: "userMessage", id: step.id, clientId: null, content: step.input.map(toStoredInput) };
    case "item":
      return step.item.type === "todo_list" ? toPlanCall(step.item) : toWireItem(step.item, thread);
    case "compacted":
      return { type: "contextCompaction", id: step.id };
  }
}

/** A running turn sends its plan as `turn/plan/updated`; a turn that is read has a row for each change. */
function toPlanCall({ id, items }: TodoListThreadItem): WireItem {
  const plan = items.map(({ text: step, completed }) => ({ step, status: completed ? "completed" : "pending" }));
  return {
    type: "dynamicToolCall",
    id,
    namespace: null,
    tool: "update_plan",
    arguments: { plan },
    status: "completed",
    contentItems: null,
    success: true,
    durationMs: null,
  };
}

export function toStoredInput(part: UserInputPart): WireInput {
  return part.type === "text" ? { type: "text", text: part.text } : { type: "image", url: part.dataUrl };
}
