import type {
  Answer,
  Question,
  RequestCompletedEvent,
  ThreadEvent,
  ThreadItem,
  TurnTerminalEvent,
  UserInputPart,
} from "@unroll/protocol";

/** One thing to show. Cells stand in the order in which they began; `key` stays the same as long as a cell is there. */
export type Cell = ItemCell | InputCell | QuestionCell | NoticeCell;

/**
 * An item of the thread. Before it is finished: a message or reasoning holds the text so far, a command the end of its
 * output so far (8,192 characters), an MCP call its progress.
 */
interface ItemCell {
  readonly type: "item";
  readonly key: string;
  readonly isFinished: boolean;
  /** In which it began; null: between turns. A command may go on behind its turn. */
  readonly turnId: string | null;
  readonly item: ThreadItem;
}

/** What you said. */
interface InputCell {
  readonly type: "input";
  readonly key: string;
  readonly isFinished: true;
  readonly input: readonly UserInputPart[];
}

/** That the person was asked. What they were asked is the dialogue's to show. */
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
  /** The turn ended without an answer. */
  | { readonly type: "withdrawn" };

/** Something that is told once. */
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
          | "compaction.started"
          | "compaction.completed"
          | "epoch.opened"
          | "events.skipped";
      }
    >
  /** Whose cache missed much, for no reason that was told before. */
  | RequestCompletedEvent
  | TurnTerminalEvent;
