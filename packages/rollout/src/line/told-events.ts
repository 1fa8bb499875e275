import type { ResponseItem, TurnOutcome } from "@unroll/protocol";
import { isSaid, readMessage, readSaid } from "./is-said.ts";

/** The `event_msg` lines of a turn, for programs that show a thread: the model is never sent any of them. */
export interface ToldEvents {
  begin(turn: TurnMoment): readonly object[];
  tell(item: ResponseItem, turn: TurnMoment): readonly object[];
  /** Also of a turn that another process began. */
  end(turnId: string, outcome: TurnOutcome): readonly object[];
}

/** A time within a turn, in ms since 1970. */
interface TurnMoment {
  readonly turnId: string;
  readonly now: number;
}

/** `user_message` and `agent_message`: Codex CLI 0.92 shows a thread from these, and later versions do in files without ordinals. */
export const messageEvents: ToldEvents = {
  begin: () => [],
  tell(item) {
    if (item.type !== "message") return [];
    if (item.role === "assistant") return [{ type: "agent_message", message: readMessage(item) }];
    return isSaid(item) ? [{ type: "user_message", message: readSaid(item), images: [] }] : [];
  },
  end: () => [],
};

/** `task_started`, `item_completed` and `task_complete`: Codex CLI 0.169 shows a thread from these whose lines have ordinals. */
export function createTaskEvents(threadId: string): ToldEvents {
  let count = 0;
  return {
    begin: ({ turnId, now }) => [
      { type: "task_started", turn_id: turnId, started_at: Math.floor(now / 1000), model_context_window: null },
    ],
    tell(item, { turnId, now }) {
      const shown = toShown(item);
      if (shown === null) return [];
      count += 1;
      const told = { thread_id: threadId, turn_id: turnId, item: { ...shown, id: `${turnId}-${count}` } };
      return [{ type: "item_completed", ...told, started_at_ms: now, completed_at_ms: now }];
    },
    end(turnId, outcome) {
      if (outcome.type === "interrupted") return [{ type: "turn_aborted", turn_id: turnId, reason: "interrupted" }];
      const said = outcome.type === "completed" ? outcome.finalMessage : null;
      return [{ type: "task_complete", turn_id: turnId, last_agent_message: said }];
    },
  };
}

function toShown(item: ResponseItem): object | null {
  if (item.type !== "message") return null;
  if (item.role === "assistant") return { type: "AgentMessage", content: [{ type: "Text", text: readMessage(item) }] };
  if (!isSaid(item)) return null;
  return { type: "UserMessage", content: [{ type: "text", text: readSaid(item), text_elements: [] }] };
}
