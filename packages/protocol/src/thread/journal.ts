import type { HostEvent } from "../event/host-event.ts";
import type {
  CompactionCompletedEvent,
  CompactionStartedEvent,
  EpochOpenedEvent,
  QuestionAnsweredEvent,
  QuestionAskedEvent,
} from "../event/thread-event.ts";
import type {
  CommandExecutionThreadItem,
  ThreadItem,
  TodoListThreadItem,
  ToolCallThreadItem,
} from "../event/thread-item.ts";
import type { TokenUsage } from "../event/token-usage.ts";
import type { TurnOutcome } from "../event/turn-outcome.ts";
import type { ItemMaker } from "../item/item-form.ts";
import type { RequestForm } from "../model/server-features.ts";
import type { ReasoningContext, ReasoningEffort, ReasoningSummary, Verbosity } from "../model/model-settings.ts";
import type { ApprovalPolicy } from "../policy/approval-policy.ts";
import type { SandboxMode, SandboxSettings } from "../policy/sandbox-settings.ts";
import type { ResponseItem } from "../item/response-item.ts";
import type { CompletedRequest } from "./completed-request.ts";
import type { RequestHead } from "../request/parse-request-head.ts";
import type { ThreadNoteValues } from "./thread-notes.ts";

/** The record of a thread, entry by entry; a thread store implements it. Its entries, in order, are enough to resume the thread in another process. */
export interface Journal {
  /** Takes an entry; never waits, never throws. */
  record(entry: JournalEntry): void;
  /**
   * Resolves when all that was recorded is where it lasts. Awaited before a request is sent and before tools run. Rejects
   * where that cannot be (a full disk): the turn then fails before anything else is done, and the message goes to the person.
   */
  settled(): Promise<void>;
}

/** One record in a journal, written as it happens. */
export type JournalEntry =
  /**
   * The first entry. `head`: what every request of the thread begins with, for this model of this provider. A store keeps its bytes
   * and reads them by `parseRequestHead`. Null: another program started the thread and kept no head; a second such entry then has
   * the one that was made for it. `form`: which parts of the prefix not every server accepts; absent: an older version kept it.
   */
  | {
      readonly type: "thread.opened";
      readonly threadId: string;
      readonly model: string;
      readonly provider: string;
      readonly head: RequestHead | null;
      readonly form?: RequestForm;
    }
  /** The thread's settings from now on. */
  | { readonly type: "settings"; readonly settings: RecordedSettings }
  | { readonly type: "item"; readonly item: SentItem }
  /**
   * A call of the model, or the program (`callId` null), started a sub-agent, whose thread is `childId`. It is settled before that thread's
   * first request. `role`: null: none was given.
   */
  | {
      readonly type: "agent.started";
      readonly callId: string | null;
      readonly childId: string;
      readonly role: string | null;
      /** As of `AgentProgress`. */
      readonly name: string;
    }
  /** An item as it ended, as it was shown. A store makes them for threads of older versions and other programs when it loads one. */
  | { readonly type: "item.ended"; readonly item: ThreadItem }
  /** An event that was shown, too. */
  | { readonly type: "told"; readonly event: StoredEvent }
  /** You are asked about a call, and nothing of it has run. If the process ends before `call.started`, a later one can ask again. */
  | { readonly type: "call.asked"; readonly callId: string }
  /** A call that you were asked about begins to run. */
  | { readonly type: "call.started"; readonly callId: string }
  /** This turn and all later ones were rewound; the epoch that follows begins with the items from before it. */
  | { readonly type: "thread.rewound"; readonly turnId: string }
  /** Comes after the items that the request sent, and before those of its response. */
  | { readonly type: "request"; readonly request: CompletedRequest }
  /** Requests of another program used so much. A store makes these entries when it loads a thread that has counts of that program. */
  | { readonly type: "usage.counted"; readonly usage: TokenUsage }
  /** A new epoch with these items; earlier items are no longer sent. */
  | {
      readonly type: "epoch";
      readonly cause: string;
      /** The earlier epoch cannot be restored: the server would not accept it. */
      readonly isFinal: boolean;
      readonly items: readonly SentItem[];
    }
  /** The transcript is what it was before the last epoch, with what was added since behind it. */
  | {
      readonly type: "epoch.undone";
      /** As what was added is sent behind what was before; absent: as the bytes it was. */
      readonly added?: readonly SentItem[];
    }
  /** `value` is what `key` has in `ThreadNoteValues`. */
  | { readonly type: "note"; readonly key: NoteKey; readonly value: ThreadNoteValues[NoteKey] }
  /** `at`: when, in ms since 1970. A store adds it to the entries that it loads; absent: it does not know. */
  | { readonly type: "turn.started"; readonly turnId: string; readonly at?: number }
  /** Item ids below this N may be in use; a turn that was cut off leaves them all behind. */
  | { readonly type: "items.reserved"; readonly nextItem: number }
  /** `nextItem`: N of the next `item_N`. `at`: as of a start. */
  | {
      readonly type: "turn.ended";
      readonly turnId: string;
      readonly outcome: TurnOutcome;
      readonly nextItem: number;
      readonly at?: number;
    };

/** An event that a journal keeps as it is, beside those that its other entries stand for. */
export type StoredEvent =
  /** A changed plan; a command that its call left running, with its output so far; or a sub-agent that does not end with its call. */
  | {
      readonly type: "item.updated";
      readonly item: TodoListThreadItem | CommandExecutionThreadItem | ToolCallThreadItem;
    }
  | QuestionAskedEvent
  | QuestionAnsweredEvent
  | CompactionStartedEvent
  | CompactionCompletedEvent
  | EpochOpenedEvent
  | HostEvent;

/**
 * An item of the transcript with the bytes that are sent: a thread is restored from the bytes,
 * never encoded again.
 */
export interface SentItem {
  readonly item: ResponseItem;
  /** Empty: it is not sent by itself. */
  readonly bytes: Uint8Array;
  /** Present: the server takes the item in another form, which the bytes are. Absent: they are the item. */
  readonly lowered?: LoweredItem;
  /** The model that made it, if it is not the thread's. */
  readonly maker?: ItemMaker;
}

/** How bytes stand among the others that are not an item as it is. */
export interface LoweredItem {
  /**
   * They continue the message before them, which was not sent yet: they replace its last two bytes
   * (`]}`).
   */
  readonly joins: boolean;
  /** How many messages among them are ours: short lines in the name of the assistant, for templates that want it to speak in turn. */
  readonly ours: number;
}

/** Limits of a sandbox that its mode does not say. Absent: as the config has it. */
export interface SandboxLimits {
  readonly denyRead?: readonly string[];
  readonly excludeSlashTmp?: true;
  readonly excludeTmpdirEnvVar?: true;
  readonly git?: "protected";
  /** Writable folders of the config that the thread may not write. */
  readonly closedRoots?: readonly string[];
}

/**
 * The settings of a thread, as its journal records them. `cwd` is absolute. A resumed thread keeps
 * them.
 */
export interface RecordedSettings {
  readonly cwd: string;
  readonly model: string;
  readonly approvalPolicy: ApprovalPolicy;
  readonly sandboxMode: SandboxMode;
  /** The rest of a `workspace-write` sandbox. Absent: another mode, another program wrote it, or an earlier version. */
  readonly workspace?: Pick<SandboxSettings, "writableRoots" | "networkAccess">;
  /** Limits beyond those of the config and of the recorded permission profile: a client set a sandbox over a profile, for example. */
  readonly limits?: SandboxLimits;
  /** The permission profile of the config that the sandbox comes from. Absent: none, or a built-in one. */
  readonly permissionProfile?: string;
  /** Null: none was sent. */
  readonly reasoningEffort: ReasoningEffort | null;
  readonly reasoningSummary: ReasoningSummary;
  /** Null: none was sent. Absent: another program wrote it, or a version that sent one only when the user set it. */
  readonly verbosity?: Verbosity | null;
  /** The same. */
  readonly reasoningContext?: ReasoningContext | null;
  /** The name of the login that requests use. Absent: they use another credential, or an earlier version or another program wrote it. */
  readonly account?: string;
}

type NoteKey = keyof ThreadNoteValues;
