import type { Approvals } from "@unroll/approval";
import type { ResolvedConfig } from "@unroll/config";
import type { Person } from "@unroll/protocol";
import type { AfterCall, BackgroundCommandRunner, CallGate, CommandRunner } from "@unroll/tools";

/** Runs the commands of a thread: those that end by themselves, and those that the model leaves running. */
export type ThreadRunner = CommandRunner & BackgroundCommandRunner;

/** What a thread may, as far as those that it opens may no more: read at each use, as it changes. */
export interface ThreadBounds {
  readonly settings: BoundingSettings;
  /** Puts the program's gates around a thread's own, those of its parent outermost. */
  readonly wrapGate: (own: CallGate) => CallGate;
  /** The same for the runner of commands, and for results: those of its parent last. */
  readonly wrapRunner: (own: ThreadRunner) => ThreadRunner;
  /** Null: nobody looks at results. */
  readonly afterCall: AfterCall | null;
}

/** Another `config` and other `approvals` are there as soon as something of them is another. */
export interface BoundingSettings {
  readonly config: ResolvedConfig;
  readonly approvals: Approvals;
  /** Null: there is nobody to ask. */
  readonly person: Person | null;
}
