import type { AfterCall, BuiltinToolName, CallGate, Tool } from "@unroll/tools";
import type { ResolvedConfig } from "@unroll/config";
import type { StepGuard } from "@unroll/core";
import type { Journal, JournalEntry } from "@unroll/protocol";
import type { ConfigSettings } from "../settings/settle-config.ts";
import type { Budget } from "../guard/budget.ts";
import type { AnyPerson } from "../to-person.ts";
import type { Thread } from "./thread.ts";
import type { ThreadRunner } from "../sub-agent/thread-bounds.ts";

/** What one thread has of its own. */
export interface ThreadOptions {
  /**
   * What it has otherwise than its harness (`{ cwd: "job-7" }`), which was given settings itself then, or none; or a whole config. Absent: the
   * harness's, but for what it has of its `parent`. MCP servers and rules are the harness's in any case.
   */
  readonly config?: ResolvedConfig | ConfigSettings;
  /** Null: nobody is asked in this thread. Absent: the parent's; without one the harness's. */
  readonly person?: AnyPerson | null;
  /**
   * Further tools, behind the built-in ones; or a function that makes them. It is given the thread, which is there when a tool runs: to ask for it
   * before is an error.
   */
  readonly tools?: readonly Tool[] | ((thread: () => Thread) => readonly Tool[]);
  /** Which of the built-in tools the model gets, of those that the config gives it. Absent: all of them. */
  readonly builtins?: readonly BuiltinToolName[];
  /** In place of the base instructions of the model family and of the config. Absent: those. */
  readonly instructions?: string;
  /** Asked before each request, in order, behind the thread's own. */
  readonly guards?: readonly StepGuard[];
  /**
   * What the thread may spend, with the threads that it opens; the limits of the config count within it. Absent: what its
   * parent has, or else only the limits of the config.
   */
  readonly budget?: Budget;
  /**
   * Gives the gate that every call passes; it is handed the thread's own, to ask it before, behind or not at all. It is handed those of the
   * threads, too, that this one is the parent of.
   */
  readonly gate?: (own: CallGate) => CallGate;
  /**
   * Looks at the result of each call that ran, and may replace it before the model gets it. A child thread's results pass its own `afterCall`
   * first, then its parent's.
   */
  readonly afterCall?: AfterCall;
  /**
   * Wraps the runner of the thread's commands: what stands around each command that the model runs. It is given the thread's own. A child
   * thread's commands pass its parent's wrapper, too. Looks at git for an approval do not pass it.
   */
  readonly runner?: (own: ThreadRunner) => ThreadRunner;
  /** Of a new thread: a UUID of version 7 that no thread was kept by. Absent: one of the host's. */
  readonly id?: string;
  /** Keeps the thread out of the harness's store; of one that is gone on with or copied, what is said from now on. */
  readonly ephemeral?: boolean;
  /** Gets all that it takes to go on with the thread, instead of the harness's store. With `ephemeral`: for this process alone. */
  readonly journal?: Journal;
  /**
   * All entries of the journal of a thread that goes on here. Absent: it is a new one.
   */
  readonly entries?: readonly JournalEntry[];
  /**
   * The thread that opens this one, for a sub-agent: it closes this one with itself. This one may at most what that one may at the moment: in
   * the sandbox, by policy, person and gate. Without a `config` of its own it begins in the folder of that one, and has its sandbox and policy.
   */
  readonly parent?: Thread;
  /** Waits for all MCP servers as long as they may take. Absent: for those that are not required, as the config says. */
  readonly waitForMcp?: boolean;
  /**
   * Lets a thread that goes on begin its requests anew, at full price, where its model, its provider or its tools are others
   * now. Absent: it keeps the tools that it had; for the model the person is asked, and without a yes it does not go on.
   */
  readonly allowCacheBreak?: boolean;
  /** Stops the wait for MCP servers, and a question: an `AbortError` is thrown then. Absent: nothing does. */
  readonly signal?: AbortSignal;
}

/** Of a thread that begins as another one did. */
export interface ForkOptions extends ThreadOptions {
  /** How many of its turns the fork begins with. Absent: all. */
  readonly at?: number;
}
