import type { ResolvedConfig } from "@unroll/config";
import type { CompactionPreview, EventsOptions, Thread, ThreadChange, ThreadOptions } from "@unroll/harness";
import type {
  JournalEntry,
  JsonSchema,
  NumberedEvent,
  StoredThread,
  ThreadEvent,
  ThreadItem,
  ThreadSummary,
  TurnOutcome,
  UserInput,
} from "@unroll/protocol";
import type { RequestedSettings, SettledSettings } from "../settings/requested-settings.ts";

/** New settings of a thread: all of them hold, or none if one is refused. */
export interface HostedSettings {
  /** Another model, as of `chooseModel`. Absent or null: it stays. */
  readonly model?: RequestedModel | null;
  /** Changed settings. While plan mode is on, a sandbox and approvals wait for its end. Absent: they stay. */
  readonly change?: ThreadChange;
  /** Whether plan mode is on. Absent or null: as it is. */
  readonly isPlanning?: boolean | null;
}

/** Options of a turn; the settings also hold after it. */
export interface HostedTurnOptions extends HostedSettings {
  /** Schema of the final message. Absent or null: any text. */
  readonly outputSchema?: JsonSchema | null;
  /** As in `RunOptions`: null leaves the response unchecked. */
  readonly schemaRepairs?: number | null;
}

/** A turn that starts. */
export interface StartedTurn {
  readonly id: string;
  /** Lets its events out. Call it after you have reported the turn's id. */
  readonly release: () => void;
  /**
   * The outcome, after the last event was delivered. Rejects with what the turn threw, a bug or a thread that closes; you need
   * not await it.
   */
  readonly ended: Promise<TurnOutcome>;
}

/** Work of the program, as events of a turn. */
export type BesideWork = (signal: AbortSignal) => AsyncGenerator<ThreadEvent, void>;

/** The model that a thread switches to. */
export type RequestedModel = Pick<RequestedSettings, "model" | "modelProvider">;

/** A thread that was opened. */
export interface HostedOpening<Client> {
  readonly thread: HostedThread<Client>;
  /** False: it was open already, and keeps its client. */
  readonly isNew: boolean;
  /** Messages for the user, such as those of the demo model. */
  readonly notices: readonly string[];
  /** Lets its events out. Call it once, after you have reported the thread's id. */
  readonly release: () => void;
}

/** A copy of a thread. */
export interface ForkRequest<Client> {
  /** How many of its first turns the copy has; null: all. */
  readonly turns: number | null;
  readonly isEphemeral: boolean;
  readonly client: Client;
  /** In place of the settings of the thread. Absent: none. */
  readonly asked?: RequestedSettings;
  /** The program's own parts of the copy. */
  readonly own?: Pick<ThreadOptions, "tools" | "gate" | "guards">;
}

/**
 * A thread of a host. The handle stays the same as long as the host has the thread, also while the thread sleeps or when another model
 * takes over; each call wakes a thread that sleeps. Calls throw `ThreadHostError` `thread_not_open` once the thread is closed. Waking throws
 * as opening does: another process may have the thread by then.
 */
export interface HostedThread<Client> {
  readonly id: string;
  /** Receives its events and answers its questions. */
  readonly client: Client;
  /** The settings as they are now. */
  readonly config: ResolvedConfig;
  /** It is not saved. */
  readonly isEphemeral: boolean;
  /** Whether the store has it, so that it can be resumed: from its first turn on. */
  readonly isSaved: boolean;
  /** Id of the thread that it is a copy of; null: it is none. */
  readonly forkedFrom: string | null;
  /** The kind of program that started it, and the git branch then; null: a new thread, or the store does not say. */
  readonly origin: Pick<ThreadSummary, "source" | "branch" | "parent"> | null;
  /** The beginning of your first message; empty before the first one. */
  readonly preview: string;
  /** When the thread was started, in ms since 1970. */
  readonly createdAt: number;
  /** When it was used last, in ms since 1970. */
  readonly usedAt: number;
  /** Whether a turn, a rewind or a switch of the model runs: one of them at a time. */
  readonly isRunning: boolean;
  /** Id of the running turn, which can be steered; null: none runs, or it does not have its id yet. */
  readonly turnId: string | null;
  /** Whether plan mode is on. */
  readonly isPlanning: boolean;
  /** The settings that hold again when plan mode ends; empty while it is off. */
  readonly beforePlanning: ThreadChange;
  /** Empty while it sleeps. */
  readonly mcpServers: Thread["mcpServers"];
  /**
   * Calls a tool for the client, as of `Thread.callTool`. Returns the item of the call as it ended; null: the call did not get that far.
   */
  callTool(
    name: string,
    input: Readonly<Record<string, unknown>>,
    options: { readonly signal: AbortSignal },
  ): Promise<ThreadItem | null>;
  /** As of `Thread.waitingCalls`. Empty while it sleeps. */
  readonly waitingCalls: Thread["waitingCalls"];
  /** The background commands. None while it sleeps. */
  readonly backgroundCommands: Thread["backgroundCommands"];
  /** Its sub-agents. Null while it sleeps. */
  readonly agents: Thread["agents"] | null;
  /** The name that you gave it; null: none. */
  readonly name: string | null;
  /** Names it for lists of threads; the name is saved with the thread. */
  rename(name: string | null): Promise<void>;
  /** Changes settings, the model too. Throws as `change` and `chooseModel`, and then nothing has changed. */
  configure(settings: HostedSettings): Promise<void>;
  /** Changes settings from the next request and the next call on. */
  change(change: ThreadChange): Promise<void>;
  /**
   * While plan mode is on, nothing can be changed, whatever rules, policy or answers allow, and
   * each message asks the model to plan. When it ends, the earlier sandbox and approvals return,
   * unless `change` says otherwise.
   */
  setPlanMode(isOn: boolean, change?: ThreadChange): Promise<void>;
  /**
   * Switches the model, as an epoch of the thread; background commands keep running. Throws `ThreadHostError` `turn_runs` while a turn runs,
   * errors of the config, and what opening a thread throws; the thread then keeps its model. The client is asked first only for a settled
   * config: to name a model is to agree to its cost.
   */
  chooseModel(requested: RequestedModel | SettledSettings): Promise<void>;
  /** Starts a turn. Throws `ThreadHostError` `turn_runs` while one runs, which changes nothing, `folder_missing`, and as `chooseModel`. */
  run(input: UserInput, options?: HostedTurnOptions): Promise<StartedTurn>;
  /**
   * Runs work of the program, such as a command of the user: in the running turn, else as a turn of its own in which the model is not asked.
   * The end of the thread aborts `signal`, as does an interruption of the turn. Throws `ThreadHostError` `turn_runs` while the model switches
   * or turns are removed.
   */
  runBeside(work: BesideWork): Promise<StartedTurn>;
  /** Compacts the thread, as a turn of its own; `focus`: what the summary should stress. Throws as `run`. */
  compact(options?: { readonly focus?: string }): Promise<StartedTurn>;
  /** An estimate of compacting now. */
  previewCompaction(): Promise<CompactionPreview>;
  /** Returns to the transcript before the last compaction. Throws `ThreadHostError` `turn_runs`, and as `Thread.undoCompaction`. */
  undoCompaction(): Promise<void>;
  /** Queues input for the next request: of the running turn, or else of the next one. */
  send(input: UserInput): Promise<void>;
  /** Takes back the messages of `send` that no request has had yet. Returns how many there were. */
  unsend(): Promise<number>;
  /** Sends input into the running turn, with changed settings. Throws `ThreadHostError` `turn_not_running` if that turn does not run, and as `change`. */
  steer(turnId: string, input: UserInput, change?: ThreadChange): Promise<void>;
  /** Ends that turn. Throws as `steer`. */
  interrupt(turnId: string): void;
  /** Ends what runs, if anything does. */
  cancel(): void;
  /**
   * Removes the last turns in place, all if there are fewer: the next request starts with the bytes of an earlier one. Files do not change;
   * background commands end. Returns what is stored of the thread then; null: nothing is. Throws `ThreadHostError` `turn_runs` while a turn
   * runs, and `not_kept`.
   */
  rewind(turns: number): Promise<StoredThread | null>;
  /** Opens a copy with the settings of this thread, which stays as it is. Throws `ThreadHostError` `not_kept`. */
  fork(request: ForkRequest<Client>): Promise<HostedOpening<Client>>;
  /**
   * Asks a side question in an unsaved copy, also while a turn runs. The copy sends the same prefix under the same cache key, so the provider
   * finds it in its cache. It only reads, asks nobody, and leaves nothing in this thread. Its events go to the caller only.
   */
  askAside(question: string, signal: AbortSignal): AsyncGenerator<ThreadEvent, TurnOutcome>;
  /** The stored thread; null: nothing is stored, because it is ephemeral or no turn ran. */
  load(): Promise<StoredThread | null>;
  /** Its journal so far, also of an ephemeral thread. A stored one has entries from its first turn on, a copy those of the other thread before. */
  entries(): Promise<readonly JournalEntry[]>;
  /** All its events from now on, numbered, until it is closed; nothing waits for these readers. As of `Thread.events`. */
  events(options?: Pick<EventsOptions, "signal">): AsyncGenerator<NumberedEvent, void>;
}
