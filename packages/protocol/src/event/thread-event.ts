import type { McpServerUpdatedEvent, McpToolAdaptedEvent } from "./mcp-event.ts";
import type { ThreadItem } from "./thread-item.ts";
import type { TokenUsage } from "./token-usage.ts";

/**
 * What a running thread tells: the events of `exec --json`, one a line, and of the SDK. Field names are the wire's.
 * A turn is `turn.started`, anything, then exactly one of `turn.completed` and `turn.failed`.
 */
export type ThreadEvent =
  | { readonly type: "thread.started"; readonly thread_id: string }
  | { readonly type: "turn.started"; readonly turn_id: string }
  | { readonly type: "item.started" | "item.updated" | "item.completed"; readonly item: ThreadItem }
  | ItemDeltaEvent
  | RequestCompletedEvent
  | StreamRetryingEvent
  | McpServerUpdatedEvent
  | McpToolAdaptedEvent
  | { readonly type: "warning"; readonly message: string }
  | TurnTerminalEvent;

/** The last event of a turn. Nothing of the turn runs after it. */
export type TurnTerminalEvent =
  | { readonly type: "turn.completed"; readonly usage: TokenUsage }
  | { readonly type: "turn.failed"; readonly error: TurnError; readonly usage: TokenUsage };

/**
 * Live text of an item that is not finished: an answer, reasoning, a command's output. What `item.completed` says later
 * stands; after `stream.retrying` the text so far is void. Not part of `exec --json`.
 */
export interface ItemDeltaEvent {
  readonly type: "item.delta";
  readonly item_id: string;
  readonly kind: "agent_message" | "reasoning" | "command_output";
  readonly delta: string;
}

/** One request to the model was answered whole. `usage` is of this request alone; null where the server sent none. */
export interface RequestCompletedEvent {
  readonly type: "request.completed";
  readonly response_id: string;
  readonly usage: TokenUsage | null;
}

/** Not an error: the request is sent again. What the model said since the request began is void. */
export interface StreamRetryingEvent {
  readonly type: "stream.retrying";
  readonly attempt: number;
  readonly max_attempts: number;
  readonly delay_ms: number;
  readonly cause: { readonly code: string; readonly message: string };
}

/** Why a turn failed. `interrupted`: by the person or the caller. */
export interface TurnError {
  readonly code: string;
  readonly message: string;
}
