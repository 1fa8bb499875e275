import type { AfterCall, BuiltinToolName, CallGate, Tool } from "@unroll/tools";
import type { ResolvedConfig } from "@unroll/config";
import type { StepGuard } from "@unroll/core";
import type { Journal, JournalEntry } from "@unroll/protocol";
import type { ConfigSettings } from "../settings/settle-config.ts";
import type { Budget } from "../guard/budget.ts";
import type { AnyPerson } from "../to-person.ts";
import type { AgentRoleOptions } from "../agents/agent-roles.ts";
import type { Thread } from "./thread.ts";
import type { ThreadRunner } from "../sub-agent/thread-bounds.ts";

/** The options of one thread. */
export interface ThreadOptions {
  /**
   * Settings that override the harness's (`{ cwd: "job-7" }`); the harness must then have been
   * given settings or nothing. Or a whole config. Absent: the harness's config, or the parent's
   * folder, sandbox and policy. MCP servers and rules always come from the harness.
   */
  readonly config?: ResolvedConfig | ConfigSettings;
  /** Null: nobody is asked in this thread. Absent: the parent's, otherwise the harness's. */
  readonly person?: AnyPerson | null;
  /**
   * Further tools, after the built-in ones, or a function that makes them. The function's argument
   * returns the thread; call it when a tool runs. An earlier call throws.
   */
  readonly tools?: readonly Tool[] | ((thread: () => Thread) => readonly Tool[]);
  /** The built-in tools that the model gets, among those that the config allows. Absent: all of them. */
  readonly builtins?: readonly BuiltinToolName[];
  /** Replaces the base instructions of the model family and of the config. Absent: those are used. */
  readonly instructions?: string;
  /**
   * Gives the model the tools that start sub-agents, and these roles for them, beside those of files and the built-in ones.
   * A role of the program counts before others with its name. Absent: `agents.enabled` of the config decides.
   */
  readonly agents?: readonly AgentRoleOptions[];
  /** Asked before each request, in order, after the built-in guards. */
  readonly guards?: readonly StepGuard[];
  /**
   * A limit on spending for the thread and its child threads; the config's limits apply within it.
   * Absent: the parent's budget, otherwise only the limits of the config.
   */
  readonly budget?: Budget;
  /**
   * Returns the gate that every call passes. `own` is the thread's own gate: your gate may ask it
   * first, last or never. It also receives the gates of child threads.
   */
  readonly gate?: (own: CallGate) => CallGate;
  /**
   * Sees the result of each call that ran, and may replace it before the model gets it. A child
   * thread's results pass its own `afterCall` first, then its parent's.
   */
  readonly afterCall?: AfterCall;
  /**
   * Wraps the runner of the model's commands. `own` is the thread's own runner. A child thread's
   * commands also pass its parent's wrapper. Reads of git before an approval are not wrapped.
   */
  readonly runner?: (own: ThreadRunner) => ThreadRunner;
  /** The id of a new thread: a UUID of version 7 that no saved thread has. Absent: `host.newId()`. */
  readonly id?: string;
  /**
   * Does not save the thread in the harness's store. If you resume or fork one this way, only what
   * follows is not saved.
   */
  readonly ephemeral?: boolean;
  /**
   * Receives everything needed to resume the thread, instead of the harness's store. With
   * `ephemeral`, it counts for this process only.
   */
  readonly journal?: Journal;
  /** All journal entries of a thread that is resumed here. Absent: a new thread. */
  readonly entries?: readonly JournalEntry[];
  /**
   * The thread that opens this one as its child, and closes it when it closes itself. A child never
   * has more permissions than its parent has at that moment: in the sandbox, by policy, person and
   * gate. Without a `config`, it starts in its parent's folder, with its parent's sandbox and
   * policy.
   */
  readonly parent?: Thread;
  /**
   * Loads the config for the model of a resumed or forked thread, if `config` names another model
   * or provider. It returns `config` to switch the thread. Absent: the thread is switched, and the
   * person is asked first, because the whole thread is resent.
   */
  readonly loadModel?: (opened: OpenedModel, config: ResolvedConfig) => Promise<ResolvedConfig>;
  /**
   * Loads the config of a sub-agent with another model of the same provider. `config`: the thread's.
   * Absent: it is loaded from the settings of the harness, and there is none if those are a whole config.
   */
  readonly loadAgentModel?: ThreadOptions["loadModel"];
  /**
   * Waits for all MCP servers, up to their timeouts. Absent: waits for servers that are not
   * required as the config says.
   */
  readonly waitForMcp?: boolean;
  /**
   * Finds out what confines commands before the thread opens, which takes about 10 ms. `thread.started` and the
   * model's first prompt name it. Absent: only where `sandbox.allow_weaker` is set; otherwise when the first command needs it.
   */
  readonly reportSandbox?: boolean;
  /**
   * Shares the provider's cache with all threads of this number whose requests begin alike (model,
   * instructions, tools): they send one `prompt_cache_key`. A key serves about 15 requests a minute
   * well (OpenAI's page on prompt caching). Absent: the thread has a key of its own.
   */
  readonly cacheShard?: number;
  /**
   * Allows a resumed thread to resend everything uncached, at full price, if its model, provider or
   * tools have changed. Absent: it keeps its old tools; for another model the person is asked, and
   * without an approval the thread does not open.
   */
  readonly allowCacheBreak?: boolean;
  /** Cancels the wait for MCP servers, or a question, with an `AbortError`. Absent: nothing cancels it. */
  readonly signal?: AbortSignal;
}

/** The model that a thread sent its last request to, and the id of its provider. */
export interface OpenedModel {
  readonly model: string;
  readonly provider: string;
}

/** The options of a fork. */
export interface ForkOptions extends ThreadOptions {
  /** How many of the first turns the fork keeps. Absent: all. */
  readonly at?: number;
}
