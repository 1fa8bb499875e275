import type { ResponseItem, TurnOutcome } from "@unroll/protocol";
import { isSaid, readMessage, readSaid } from "./is-said.ts";

/** The `event_msg` lines of a turn, for programs that show a thread: the model is never sent any of them. */
export interface ToldEvents {
  begin(turnId: string, now: number): readonly object[];
  tell(item: ResponseItem, now: number): readonly object[];
  /** Also of a turn that another process began. */
  end(turnId: string, outcome: TurnOutcome): readonly object[];
}

/**
 * `user_message` and `agent_message`: what Codex CLI 0.92, and later ones in files without ordinals, show a thread from. Items
 * outside a turn were copied from another thread, and are not told.
 */
export function createMessageEvents(): ToldEvents {
  let isInTurn = false;
  return {
    begin() {
      isInTurn = true;
      return [];
    },
    tell(item) {
      if (!isInTurn || item.type !== "message") return [];
      if (item.role === "assistant") return [{ type: "agent_message", message: readMessage(item) }];
      return isSaid(item) ? [{ type: "user_message", message: readSaid(item), images: [] }] : [];
    },
    end() {
      isInTurn = false;
      return [];
    },
  };
}

/** `task_started`, `item_completed` and `task_complete`: what Codex CLI 0.169 shows a thread from whose lines have ordinals. */
export function createTaskEvents(threadId: string): ToldEvents {
  let turnId: string | null = null;
  let count = 0;
  return {
    begin(id, now) {
      [turnId, count] = [id, 0];
      return [{ type: "task_started", turn_id: id, started_at: Math.floor(now / 1000), model_context_window: null }];
    },
    tell(item, now) {
      const shown = toShown(item);
      if (turnId === null || shown === null) return [];
      count += 1;
      const told = { thread_id: threadId, turn_id: turnId, item: { ...shown, id: `${turnId}-${count}` } };
      return [{ type: "item_completed", ...told, started_at_ms: now, completed_at_ms: now }];
    },
    end(id, outcome) {
      turnId = null;
      if (outcome.type === "interrupted") return [{ type: "turn_aborted", turn_id: id, reason: "interrupted" }];
      const said = outcome.type === "completed" ? outcome.finalMessage : null;
      return [{ type: "task_complete", turn_id: id, last_agent_message: said }];
    },
  };
}

function toShown(item: ResponseItem): object | null {
  if (item.type !== "message") return null;
  if (item.role === "assistant") return { type: "AgentMessage", content: [{ type: "Text", text: readMessage(item) }] };
  if (!isSaid(item)) return null;
  return { type: "UserMessage", content: [{ type: "text", text: readSaid(item), text_elements: [] }] };
}
