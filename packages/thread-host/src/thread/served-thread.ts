import type { ResolvedConfig } from "@unroll/config";
import type { Thread, ThreadChange } from "@unroll/harness";
import type { JsonSchema, TurnOutcome, UserInput } from "@unroll/protocol";

/** What holds for one turn, and from it on. */
export interface ServedTurnOptions {
  /** Settings from this turn on. Absent: they stay. */
  readonly change?: ThreadChange;
  /** Of the answer. Absent or null: any text. */
  readonly outputSchema?: JsonSchema | null;
}

/** A turn that begins. */
export interface BegunTurn {
  readonly id: string;
  /** Lets its events out: whoever asked for the turn is told its id first. Nothing of it is told before. */
  readonly release: () => void;
  /**
   * How it ended, once its last event was told. Rejects with what the turn threw, a bug or a thread that closes; it need not
   * be waited for.
   */
  readonly ended: Promise<TurnOutcome>;
}

/** An open thread that is told and asked over a wire. Disposing it ends its turn, stops its commands, and closes it. */
export interface ServedThread extends AsyncDisposable {
  readonly id: string;
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
  readonly mcpServers: Thread["mcpServers"];
  /** As a person named it; null: nobody has. */
  readonly name: string | null;
  /** Names it, for lists of threads; kept with the thread. */
  rename(name: string | null): void;
  /** Settings from the next request and the next call on. */
  change(change: ThreadChange): void;
  /** Begins a turn. Throws `ThreadHostError` `turn_runs` while one runs, `folder_missing`, and what keeps a turn from beginning. */
  startTurn(input: UserInput, options?: ServedTurnOptions): Promise<BegunTurn>;
  /** Shortens what is sent, as a turn of its own; `focus`: what the summary is to dwell on. Throws as `startTurn`. */
  compact(options?: { readonly focus?: string }): Promise<BegunTurn>;
  /** Tells the running turn more. Throws `ThreadHostError` `turn_not_running` where that turn does not run. */
  steer(turnId: string, input: UserInput): Promise<void>;
  /** Ends that turn. Throws as `steer`. */
  interrupt(turnId: string): void;
  /** Ends the turn that runs, if one does. */
  cancel(): void;
}
