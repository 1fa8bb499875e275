import type {
  Answer,
  Question,
  RequestCompletedEvent,
  ThreadEvent,
  ThreadItem,
  TurnTerminalEvent,
  UserInputPart,
} from "@unroll/protocol";

/** One thing to show. Cells are in the order in which they began; `key` stays the same as long as a cell exists. */
export type Cell = ItemCell | InputCell | QuestionCell | NoticeCell;

/**
 * An item of the thread. Before it is finished: a message or reasoning holds the text so far, a command the end of its
 * output so far (8,192 characters), an MCP call its progress.
 */
interface ItemCell {
  readonly type: "item";
  readonly key: string;
  readonly isFinished: boolean;
  /** The turn in which it began; null: between turns. A command may run longer than its turn. */
  readonly turnId: string | null;
  readonly item: ThreadItem;
}

/** Your message. */
interface InputCell {
  readonly type: "input";
  readonly key: string;
  readonly isFinished: true;
  readonly input: readonly UserInputPart[];
}

/** A question for you. The dialog shows its text. */
export interface QuestionCell {
  readonly type: "question";
  readonly key: string;
  readonly isFinished: boolean;
  readonly question: Question["type"];
  /** The item of the call that asks; null: none. */
  readonly itemId: string | null;
  readonly reason: string;
  readonly state: QuestionState;
}

type QuestionState =
  | { readonly type: "open" }
  | { readonly type: "answered"; readonly answer: Answer["type"] | "invalid" }
  /** The turn ended without an answer, or the command that wanted to reach a host. */
  | { readonly type: "withdrawn" };

/** A notice, shown once. */
interface NoticeCell {
  readonly type: "notice";
  readonly key: string;
  readonly isFinished: true;
  readonly event: NoticeEvent;
}

/** An event that is shown as a notice. */
export type NoticeEvent =
  | Extract<
      ThreadEvent,
      {
        readonly type:
          | "warning"
          | "context_window.updated"
          | "mcp.server_updated"
          | "mcp.tool_adapted"
          | "sandbox.updated"
          | "host.denied"
          | "compaction.started"
          | "compaction.completed"
          | "epoch.opened"
          | "events.skipped";
      }
    >
  /** A request with a large cache miss whose reason was not reported before. */
  | RequestCompletedEvent
  | TurnTerminalEvent;
