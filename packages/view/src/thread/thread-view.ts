import type {
  BudgetStatus,
  McpServerState,
  StreamRetryingEvent,
  TodoListThreadItem,
  TurnError,
  WindowOrigin,
} from "@unroll/protocol";
import { noUsage, type UsageView } from "../usage/usage-view.ts";
import type { Cell } from "./cell.ts";

/** A thread as it can be shown at one moment. Plain data that is never changed: `reduceThread` makes the next one. */
export interface ThreadView {
  /** Null: it has not started. */
  readonly threadId: string | null;
  readonly turn: TurnView;
  /** Running cells, and finished ones that were not taken yet (`takeFinished`). */
  readonly cells: readonly Cell[];
  /** The request is being sent again; null as soon as the response continues. */
  readonly retry: StreamRetryingEvent | null;
  /** The latest plan; null: there is none. */
  readonly plan: TodoListThreadItem | null;
  readonly usage: UsageView;
  /** The latest budget status; empty if there are no limits. */
  readonly budget: readonly BudgetStatus[];
  /** The latest known context window in tokens, and its source; null: unknown. */
  readonly contextWindow: { readonly tokens: number; readonly origin: WindowOrigin } | null;
  /** In the order in which they were first heard of. */
  readonly servers: readonly McpServerView[];
  /** The hosts that commands wanted to reach, in the order in which they were first heard of. */
  readonly hosts: readonly HostView[];
  /** How many cells so far were not items: their keys contain this number. */
  readonly noticeCount: number;
}

type TurnView =
  /** No turn yet. */
  | { readonly type: "none" }
  | { readonly type: "running"; readonly turnId: string }
  | { readonly type: "completed" }
  | { readonly type: "failed"; readonly error: TurnError };

/** A host, and what commands moved to and from it so far. */
export interface HostView {
  /** `name:port`. */
  readonly host: string;
  readonly isDenied: boolean;
  readonly connections: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
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
  usage: noUsage,
  budget: [],
  contextWindow: null,
  servers: [],
  hosts: [],
  noticeCount: 0,
};
