import type { ResolvedConfig } from "@unroll/config";
import type { EventsOptions, Thread, ThreadChange } from "@unroll/harness";
import type { JsonSchema, NumberedEvent, StoredThread, TurnOutcome, UserInput } from "@unroll/protocol";
import type { RequestedSettings } from "../settings/requested-settings.ts";

/** What holds for one turn, and from it on. */
export interface HostedTurnOptions {
  /** Settings from this turn on. Absent: they stay. */
  readonly change?: ThreadChange;
  /** Of the answer. Absent or null: any text. */
  readonly outputSchema?: JsonSchema | null;
}

/** A turn that begins. */
export interface StartedTurn {
  readonly id: string;
  /** Lets its events out: whoever asked for the turn is told its id first. Nothing of it is told before. */
  readonly release: () => void;
  /**
   * How it ended, once its last event was told. Rejects with what the turn threw, a bug or a thread that closes; it need not
   * be waited for.
   */
  readonly ended: Promise<TurnOutcome>;
}

/** The model that a thread is to go on with. */
export type AskedModel = Pick<RequestedSettings, "model" | "modelProvider">;

/** A thread that was opened. */
export interface HostedOpening<Follower> {
  readonly thread: HostedThread<Follower>;
  /** False: it was open already, and has the follower of before. */
  readonly isNew: boolean;
  /** What the start of the demo model, for one, has to say to a person. */
  readonly notices: readonly string[];
  /** To be called once when whoever asked for the thread was told of it: then its events begin. */
  readonly release: () => void;
}

/** A copy that begins as a thread does. */
export interface ForkRequest<Follower> {
  /** With how many of its first turns; null: with all. */
  readonly turns: number | null;
  readonly isEphemeral: boolean;
  readonly follower: Follower;
}

/**
 * A thread of a host, by a handle that stays the same as long as the thread is in the host: also where the thread sleeps in between, or
 * another model answers it. Whatever is asked of one that sleeps wakes it first. Each call throws `ThreadHostError` `thread_not_open` once
 * the thread is closed, and what opening a kept thread throws, where it has to be woken: another process may have it by then.
 */
export interface HostedThread<Follower> {
  readonly id: string;
  /** Who is told of it, and asked. */
  readonly follower: Follower;
  /** With what was changed since it was opened. */
  readonly config: ResolvedConfig;
  /** Kept nowhere. */
  readonly isEphemeral: boolean;
  /** The id of the thread that it began as; null: none. */
  readonly forkedFrom: string | null;
  /** The beginning of what a person said first; empty where nobody has. */
  readonly preview: string;
  /** When it was begun, in ms since 1970: of one that goes on, the first time. */
  readonly createdAt: number;
  /** When something was said or done in it last, or it was named or set otherwise, in ms since 1970. */
  readonly usedAt: number;
  /** Whether a turn runs. */
  readonly isRunning: boolean;
  /** Whether plan mode is on. */
  readonly isPlanning: boolean;
  /** Empty while it sleeps. */
  readonly mcpServers: Thread["mcpServers"];
  /** As a person named it; null: nobody has. */
  readonly name: string | null;
  /** Names it, for lists of threads; kept with the thread. */
  rename(name: string | null): Promise<void>;
  /** Settings from the next request and the next call on. */
  change(change: ThreadChange): Promise<void>;
  /**
   * While it is on, the model plans: nothing is changed, whatever rules, policy or an answer allow, and it is told so behind each message.
   * When it is switched off, sandbox and approvals are those of before again, unless `change` says otherwise.
   */
  setPlanMode(isOn: boolean, change?: ThreadChange): Promise<void>;
  /**
   * Goes on with another model, as an epoch of the thread; commands that were left running run on. Throws `ThreadHostError` `turn_runs` while
   * a turn runs, what is wrong with the config, and what a harness throws that opens a thread; the thread goes on as it was then.
   */
  chooseModel(asked: AskedModel): Promise<void>;
  /** Begins a turn. Throws `ThreadHostError` `turn_runs` while one runs, `folder_missing`, and what keeps a turn from beginning. */
  run(input: UserInput, options?: HostedTurnOptions): Promise<StartedTurn>;
  /** Shortens what is sent, as a turn of its own; `focus`: what the summary is to dwell on. Throws as `run`. */
  compact(options?: { readonly focus?: string }): Promise<StartedTurn>;
  /** Tells the running turn more. Throws `ThreadHostError` `turn_not_running` where that turn does not run. */
  steer(turnId: string, input: UserInput): Promise<void>;
  /** Ends that turn. Throws as `steer`. */
  interrupt(turnId: string): void;
  /** Ends the turn that runs, if one does. */
  cancel(): void;
  /**
   * Takes the last so many turns back in place, all where there are fewer: the next request begins as an earlier one did. Files stay as they
   * are; commands that were left running end. Gives what is kept of it then; null: nothing is, nobody said anything. Throws `ThreadHostError` `turn_runs`
   * while one runs, and `not_kept`.
   */
  rewind(turns: number): Promise<StoredThread | null>;
  /** Opens a copy, which has the settings of this thread; this one stays as it is. Throws `ThreadHostError` `not_kept`. */
  fork(request: ForkRequest<Follower>): Promise<HostedOpening<Follower>>;
  /** All its events from now on, numbered, until it is closed: for readers that nothing waits for. As of `Thread.events`. */
  events(options?: Pick<EventsOptions, "signal">): AsyncGenerator<NumberedEvent, void>;
}
