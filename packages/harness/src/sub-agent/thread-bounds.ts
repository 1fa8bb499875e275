import type { Approvals } from "@unroll/approval";
import type { ResolvedConfig } from "@unroll/config";
import type { Person } from "@unroll/protocol";
import type { SandboxBounds } from "../sandbox/create-sandbox.ts";
import type { AfterCall, BackgroundCommandRunner, CallGate, CommandRunner } from "@unroll/tools";
import type { AgentTree } from "./agent-tree.ts";

/** Runs the commands of a thread: those that end by themselves, and those that the model leaves running. */
export type ThreadRunner = CommandRunner & BackgroundCommandRunner;

/** The permissions of a thread, which limit its child threads. Read at each use, because they change. */
export interface ThreadBounds {
  readonly settings: BoundingSettings;
  /** Puts the program's gates around a thread's own gate; its parent's are outermost. */
  readonly wrapGate: (own: CallGate) => CallGate;
  /** The same for the runner of commands, and for results, where the parent's come last. */
  readonly wrapRunner: (own: ThreadRunner) => ThreadRunner;
  /** Where the thread stands among sub-agents. */
  readonly tree: AgentTree;
  /** The names of its only tools; null: all that it lists. */
  readonly only: readonly string[] | null;
  /** The names of tools that it does not get. */
  readonly without: readonly string[];
  /** Null: nothing looks at results. */
  readonly afterCall: AfterCall | null;
}

/** A change of any member gives a new `config`, new `approvals` or a new `sandbox`. */
export interface BoundingSettings {
  readonly config: ResolvedConfig;
  readonly approvals: Approvals;
  /** Its policy, which has the folders that it writes. */
  readonly sandbox: SandboxBounds;
  /** Null: there is nobody to ask. */
  readonly person: Person | null;
}
