import type { WindowOrigin } from "../model/model-settings.ts";
import type { BudgetStatus } from "../budget/budget-limits.ts";
import type { SandboxReport } from "../policy/sandbox-report.ts";
import type { Question } from "../person/question.ts";
import type { Answer } from "../person/answer.ts";
import type { HostEvent } from "./host-event.ts";
import type { McpServerUpdatedEvent, McpToolAdaptedEvent } from "./mcp-event.ts";
import type { FirstDifference, RequestCache } from "./request-cache.ts";
import type { AgentProgress, ThreadItem } from "./thread-item.ts";
import type { TokenUsage } from "./token-usage.ts";
import type { UserInputPart } from "./user-input.ts";

/**
 * An event of a thread, in `exec --json` (one per line) and in the SDK. Field names are those of
 * the wire. A turn is `turn.started`, any events, then exactly one of `turn.completed` and
 * `turn.failed`.
 */
export type ThreadEvent =
  /** `sandbox`: what confines its commands; absent where the program did not ask for it, and the full sandbox or none was chosen. */
  | { readonly type: "thread.started"; readonly thread_id: string; readonly sandbox?: SandboxReport }
  /** A change of settings changed what confines commands from the next one on. */
  | { readonly type: "sandbox.updated"; readonly sandbox: SandboxReport }
  | TurnStartedEvent
  | InputReceivedEvent
  | ContextWindowUpdatedEvent
  | { readonly type: "item.started" | "item.updated" | "item.completed"; readonly item: ThreadItem }
  | ItemDeltaEvent
  | RequestStartedEvent
  | RequestCompletedEvent
  | StreamRetryingEvent
  | QuestionAskedEvent
  | QuestionAnsweredEvent
  | CompactionStartedEvent
  | CompactionCompletedEvent
  | EpochOpenedEvent
  | BudgetUpdatedEvent
  | McpServerUpdatedEvent
  | McpToolAdaptedEvent
  | HostEvent
  | { readonly type: "warning"; readonly message: string }
  /** A reader of `thread.events()` was too slow: so many events before this one were left out for it. */
  | { readonly type: "events.skipped"; readonly count: number }
  | TurnTerminalEvent;

/** `context_window`: how many tokens fit into a request and its answer, and who says so; absent where that is not known. */
export interface TurnStartedEvent {
  readonly type: "turn.started";
  readonly turn_id: string;
  readonly context_window?: number;
  readonly context_window_origin?: WindowOrigin;
}

/**
 * Your message goes to the model with the next request: a turn's input, or a message sent during
 * the turn.
 */
export interface InputReceivedEvent {
  readonly type: "input.received";
  readonly input: readonly UserInputPart[];
}

/** The server told how large its context window is, by its list of models or by what it refused. `replaced`: what was gone by until now. */
export interface ContextWindowUpdatedEvent {
  readonly type: "context_window.updated";
  readonly context_window: number;
  readonly origin: WindowOrigin;
  readonly replaced: { readonly context_window: number; readonly origin: WindowOrigin };
}

/** An event with its place in the thread: what `thread.events()` gives to each of its readers. */
export interface NumberedEvent {
  readonly threadId: string;
  /** Null: between turns. */
  readonly turnId: string | null;
  /** From 0 in a thread, one more with each event; a gap is events that were left out. */
  readonly seq: number;
  /** When it happened, in ms since 1970. */
  readonly at: number;
  readonly event: ThreadEvent;
}

/**
 * The last event of a turn. Nothing of the turn runs after it. `usage` is of the turn; `thread_usage` of all requests of the
 * thread that were answered, those of other processes too, absent where the thread did not start. Neither counts sub-agents:
 * `agents` has the thread's, each with all that it used. Absent: it has none, or the turn is shown again.
 */
export type TurnTerminalEvent =
  | {
      readonly type: "turn.completed";
      readonly usage: TokenUsage;
      readonly thread_usage?: TokenUsage;
      readonly agents?: readonly AgentProgress[];
    }
  | {
      readonly type: "turn.failed";
      readonly error: TurnError;
      readonly usage: TokenUsage;
      readonly thread_usage?: TokenUsage;
      readonly agents?: readonly AgentProgress[];
    };

/**
 * Live text of an unfinished item: a message, reasoning, a command's output. `item.completed`
 * replaces it; `stream.retrying` makes the text so far void. Not part of `exec --json`.
 */
export interface ItemDeltaEvent {
  readonly type: "item.delta";
  readonly item_id: string;
  readonly kind: "agent_message" | "reasoning" | "command_output";
  readonly delta: string;
}

/**
 * A request goes to the model now. One at a time: what follows up to the next `request.completed`, `request.started` or end of the
 * turn is of this one. Retries are part of it.
 */
export interface RequestStartedEvent {
  readonly type: "request.started";
  /** How many items its input has. */
  readonly items: number;
  /** Whether it was made beside the turn, for a compaction for example. */
  readonly is_beside: boolean;
}

/** One request to the model was answered whole. `usage` is of this request alone; null where the server sent none. */
export interface RequestCompletedEvent {
  readonly type: "request.completed";
  readonly response_id: string;
  readonly usage: TokenUsage | null;
  readonly cache: RequestCache;
}

/**
 * The request is retried; this is not an error. Everything that the model wrote since the request
 * began is void.
 */
export interface StreamRetryingEvent {
  readonly type: "stream.retrying";
  readonly attempt: number;
  readonly max_attempts: number;
  readonly delay_ms: number;
  readonly cause: { readonly code: string; readonly message: string };
}

/** The person was asked. The question itself goes to them; this is its trace. */
export interface QuestionAskedEvent {
  readonly type: "question.asked";
  readonly question: Question["type"];
  /** The item of the call that asks; null: none. */
  readonly item_id: string | null;
  /** Why; for a form or a question of the model, who asks. */
  readonly reason: string;
}

/** The person answered. `invalid`: the reply was not an answer to the question, so it counts as a denial. */
export interface QuestionAnsweredEvent {
  readonly type: "question.answered";
  readonly question: Question["type"];
  readonly item_id: string | null;
  readonly answer: Answer["type"] | "invalid";
  /** For a question about a call, in ms since 1970: the call starts then. Absent: it is not about a call. */
  readonly answered_at?: number;
}

/**
 * The thread is about to be compacted, which breaks the prefix of its requests. Reported before
 * each attempt. A request of its own follows, and then `compaction.completed`, a `warning` with
 * another attempt, or the end of the turn.
 */
export interface CompactionStartedEvent {
  readonly type: "compaction.started";
  /** One clause: what makes it necessary. */
  readonly cause: string;
  /** `local`: the model writes a summary; `remote`: the server compacts the thread. */
  readonly method: CompactionMethod;
  /** About what the requests have now. */
  readonly tokens: number;
}

/** The thread was compacted; `epoch.opened` follows. Both counts are estimates of the next request. */
export interface CompactionCompletedEvent {
  readonly type: "compaction.completed";
  readonly method: CompactionMethod;
  readonly tokens_before: number;
  readonly tokens_after: number;
  /** The model's summary; null: only the server can read it. */
  readonly summary: string | null;
}

/**
 * How a thread is compacted: by a summary of this harness (`local`), or by the server's own
 * endpoint (`remote`).
 */
export type CompactionMethod = "local" | "remote";

/** Later requests have a new beginning: the provider's cache has only the part that both epochs share. */
export interface EpochOpenedEvent {
  readonly type: "epoch.opened";
  /** One clause: what made it necessary. */
  readonly cause: string;
  /** How many items the new epoch begins with, and how many of them, from the first on, are those of the old one. */
  readonly items: number;
  readonly shared_items: number;
  /** The first item that is not as it was. */
  readonly first_difference: FirstDifference;
}

/** How far the limits of the turn's budget are used up. Told where there are limits: after each answered request, and last of all before the end. */
export interface BudgetUpdatedEvent {
  readonly type: "budget.updated";
  readonly limits: readonly BudgetStatus[];
}

/** Why a turn failed. `interrupted`: by the person or the caller. */
export interface TurnError {
  readonly code: string;
  readonly message: string;
  /** With `budget_exhausted`: the limit that ended the turn. */
  readonly budget?: BudgetStatus;
  /** The wait that the server asked for, in ms. Absent: it asked for none. */
  readonly retry_after_ms?: number;
}
