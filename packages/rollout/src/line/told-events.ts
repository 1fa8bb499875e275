import type { ResponseItem, ThreadItem, TurnOutcome } from "@unroll/protocol";
import { isSaid, readMessage, readSaid } from "./is-said.ts";
import { toEndEvent, toTurnItem, type TurnMoment } from "./told-items.ts";

/** The `event_msg` lines of a turn, for programs that show a thread: the model is never sent any of them. */
export interface ToldEvents {
  begin(turn: TurnMoment): readonly object[];
  /** A message or reasoning. */
  tell(item: ResponseItem, turn: TurnMoment): readonly object[];
  /** A call that ended, as it was shown. */
  show(item: ThreadItem, turn: TurnMoment): readonly object[];
  /** Also of a turn that another process began. */
  end(outcome: TurnOutcome, turn: TurnMoment): readonly object[];
}

/**
 * How Codex CLI 0.169 tells what a turn did. Null: the lines of the file have no ordinals. The program then reads an event for each
 * kind of item (`user_message`, `exec_command_end`), as all versions since 0.92 do. With ordinals it reads `item_completed`.
 */
export function createToldEvents(threadId: string | null): ToldEvents {
  /** When the running turn started; null: none runs, or another process started it. */
  let startedAt: number | null = null;
  let count = 0;

  const tellItem = (item: object, { turnId, now }: TurnMoment, startedAt = now): object => {
    count += 1;
    const told = { thread_id: threadId, turn_id: turnId, item: { id: `${turnId}-${count}`, ...item } };
    return { type: "item_completed", ...told, started_at_ms: startedAt, completed_at_ms: now };
  };

  return {
    begin({ turnId, now }) {
      startedAt = now;
      return [{ type: "task_started", turn_id: turnId, started_at: toSeconds(now), model_context_window: null }];
    },
    tell(item, turn) {
      const message = toMessage(item);
      if (message === null) return [];
      return threadId === null ? toMessageEvents(message) : [tellItem(toMessageItem(message), turn)];
    },
    show(item, turn) {
      const started = "started_at" in item ? item.started_at : undefined;
      const shown = threadId === null ? toEndEvent(item, turn) : toTurnItem(item);
      if (shown === null) return [];
      return threadId === null ? [shown] : [tellItem(shown, turn, started)];
    },
    end(outcome, { turnId, now }) {
      const times = {
        ...(startedAt !== null && { started_at: toSeconds(startedAt) }),
        completed_at: toSeconds(now),
        ...(startedAt !== null && { duration_ms: now - startedAt }),
      };
      startedAt = null;
      if (outcome.type === "interrupted")
        return [{ type: "turn_aborted", turn_id: turnId, reason: "interrupted", ...times }];
      // without ordinals, its own event has the message
      const said = threadId !== null && outcome.type === "completed" ? outcome.finalMessage : null;
      return [{ type: "task_complete", turn_id: turnId, last_agent_message: said, ...times }];
    },
  };
}

type Message = { readonly by: "user" | "model" | "reasoning"; readonly text: string };

/** Null: nobody is shown it. */
function toMessage(item: ResponseItem): Message | null {
  if (item.type === "reasoning") {
    const text = (item.summary.length > 0 ? item.summary : (item.content ?? [])).map((part) => part.text).join("\n\n");
    return text === "" ? null : { by: "reasoning", text };
  }
  if (item.type !== "message") return null;
  if (item.role === "assistant") return { by: "model", text: readMessage(item) };
  return isSaid(item) ? { by: "user", text: readSaid(item) } : null;
}

function toMessageEvents({ by, text }: Message): readonly object[] {
  if (by === "reasoning") return [{ type: "agent_reasoning", text }];
  if (by === "model") return [{ type: "agent_message", message: text }];
  return [{ type: "user_message", message: text, images: [] }];
}

function toMessageItem({ by, text }: Message): object {
  if (by === "reasoning") return { type: "Reasoning", summary_text: [text], raw_content: [] };
  if (by === "model") return { type: "AgentMessage", content: [{ type: "Text", text }] };
  return { type: "UserMessage", content: [{ type: "text", text, text_elements: [] }] };
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
