import {
  type BudgetStatus,
  type McpServerState,
  noTokenUsage,
  type StreamRetryingEvent,
  type TodoListThreadItem,
  type TokenUsage,
  type TurnError,
} from "@unroll/protocol";
import type { Cell } from "./cell.ts";

/** A thread as it can be shown at one moment. Plain data that is never changed: `reduceThread` makes the next one. */
export interface ThreadView {
  /** Null: it has not started. */
  readonly threadId: string | null;
  readonly turn: TurnView;
  /** What is going on, and what is finished and was not taken yet (`takeFinished`). */
  readonly cells: readonly Cell[];
  /** The request is being sent again; null as soon as the answer goes on. */
  readonly retry: StreamRetryingEvent | null;
  /** The plan as it was told last; null: there is none. */
  readonly plan: TodoListThreadItem | null;
  readonly usage: UsageView;
  /** As it was told last; empty where there are no limits. */
  readonly budget: readonly BudgetStatus[];
  /** In the order in which they were first heard of. */
  readonly servers: readonly McpServerView[];
  /** How many cells that are no items there have been: their keys are made of it. */
  readonly noticeCount: number;
}

type TurnView =
  /** No turn yet. */
  | { readonly type: "none" }
  | { readonly type: "running"; readonly turnId: string }
  | { readonly type: "completed" }
  | { readonly type: "failed"; readonly error: TurnError };

export interface UsageView {
  /** Of the last request that told it, in this turn or before: what the thread takes of the context window. Null: none did since it began, or was shortened. */
  readonly request: TokenUsage | null;
  /** Of the running turn so far, or of the last one. */
  readonly turn: TokenUsage;
  /** Of all turns, with the running one; from the end of a turn on, those that other processes ran too. */
  readonly thread: TokenUsage;
}

export interface McpServerView {
  readonly server: string;
  readonly state: McpServerState;
}

/** Where every thread begins. */
export const emptyThreadView: ThreadView = {
  threadId: null,
  turn: { type: "none" },
  cells: [],
  retry: null,
  plan: null,
  usage: { request: null, turn: noTokenUsage, thread: noTokenUsage },
  budget: [],
  servers: [],
  noticeCount: 0,
};
