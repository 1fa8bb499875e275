import type { Approvals } from "@unroll/approval";
import type { ResolvedConfig } from "@unroll/config";
import type { Person } from "@unroll/protocol";
import type { AfterCall, CallGate, CommandRunner, BackgroundCommandRunner } from "@unroll/tools";

/** What a thread may, as far as those that it opens may no more: read at each use, as it changes. */
export interface ThreadBounds {
  readonly settings: BoundingSettings;
  /** Puts what stands around the gate of the thread around another one. */
  readonly wrapGate: (gate: CallGate) => CallGate;
  /** Puts what stands around the runner of the thread's commands around another one. */
  readonly wrapRunner: (runner: CommandRunner & BackgroundCommandRunner) => CommandRunner & BackgroundCommandRunner;
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
