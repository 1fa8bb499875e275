import type { ResolvedConfig, ServerNotes } from "@unroll/config";
import type { ModelClient } from "@unroll/core";
import type { McpServerStatus, ModelPrice, RateLimits, ThreadStore } from "@unroll/protocol";
import type { ConfigSettings } from "../settings/settle-config.ts";
import type { Host } from "../host/host.ts";
import type { Executor } from "../host/executor.ts";
import type { AnyPerson } from "../to-person.ts";
import type { ForkOptions, ThreadOptions } from "../thread/thread-options.ts";
import type { Thread } from "../thread/thread.ts";

/** Options that threads share, and the defaults of threads that bring nothing of their own. */
export interface HarnessOptions {
  /** The machine. `nodeHost()` of `@unroll/harness/node` makes one of this process. */
  readonly host: Host;
  /**
   * The config of all threads, unless a thread overrides it. `loadConfig` of `@unroll/config` makes
   * a whole one. Absent: the config that `unroll` would use in the host's folder.
   */
  readonly config?: ResolvedConfig | ConfigSettings;
  /** The client's name for the server's logs: `my-program/1.2.0`. Absent: `unroll_sdk` and the platform. */
  readonly userAgent?: string;
  /** Absent: a client of the provider that the config names. */
  readonly model?: ModelClient;
  /**
   * Where threads are saved: `openThreadStore` of `@unroll/rollout`, or your own. Absent: threads
   * are lost when this process ends.
   */
  readonly store?: ThreadStore;
  /**
   * Remembers what servers refused, for new threads. Absent: `openServerNotes` of `@unroll/config`,
   * which uses files below `codexHome`.
   */
  readonly serverNotes?: ServerNotes;
  /**
   * The price of a provider's model, for limits on cost; null: unknown. Absent: the prices in the
   * catalogue.
   */
  readonly priceOf?: (model: string, provider: string) => ModelPrice | null;
  /** Ignores all rules of `config.codexHome`, including those that forbid commands. Default false. */
  readonly ignoreRules?: boolean;
  /**
   * In ms: live text is reported at most this often, in fewer and longer events. Useful for
   * programs that show it to a user. Does not apply to a `model` of your own. Default 0: as it
   * arrives.
   */
  readonly deltaGapMs?: number;
  /** Gets the limits of the provider's account that answers report. Does not apply to a `model` of your own. */
  readonly onRateLimits?: (limits: RateLimits) => void;
  /**
   * Where files and commands live. Absent: this machine, with its sandbox. Rules and images always
   * come from this machine; so do MCP servers, unless the executor has `connectMcp`.
   */
  readonly executor?: Executor;
  /**
   * Answers the questions of policy, the model and MCP servers. Absent: nothing is asked; it is
   * denied instead.
   */
  readonly person?: AnyPerson;
}

/**
 * The shared parts of threads: connections, MCP servers, rules, and the probed sandbox. Closing it
 * closes its threads.
 */
export interface Harness extends AsyncDisposable {
  /**
   * Opens a new thread, or resumes one from `entries`. Throws `PromptError` for an instruction file
   * that cannot be read. Throws `HarnessError` if the provider's key is missing, a required MCP
   * server does not start, or the harness is closed.
   */
  openThread(options?: ThreadOptions): Promise<Thread>;
  /**
   * Resumes a thread of the store. `id` is its id, a prefix of it, or `last`: the thread of the
   * working folder that was used last. Its requests begin exactly as before, byte for byte;
   * `warning` events report repairs. Throws the errors of `openThread` and of the store, and
   * `HarnessError` `thread_missing` if there is no last thread.
   */
  resumeThread(id: string, options?: ThreadOptions): Promise<Thread>;
  /**
   * Opens a new thread with the past of a saved one, which stays unchanged. Throws the errors of
   * `resumeThread`.
   */
  forkThread(id: string, options?: ForkOptions): Promise<Thread>;
  /** The current status of the config's MCP servers. */
  mcpServers(): readonly McpServerStatus[];
}

/** The names of all harness options. */
export const harnessOptions: Readonly<Record<keyof HarnessOptions, true>> = {
  host: true,
  config: true,
  userAgent: true,
  model: true,
  store: true,
  serverNotes: true,
  priceOf: true,
  ignoreRules: true,
  deltaGapMs: true,
  onRateLimits: true,
  executor: true,
  person: true,
};

/** The names of all thread options. */
export const threadOptions: Readonly<Record<keyof ThreadOptions, true>> = {
  loadModel: true,
  loadAgentModel: true,
  config: true,
  person: true,
  tools: true,
  agents: true,
  builtins: true,
  instructions: true,
  guards: true,
  budget: true,
  gate: true,
  afterCall: true,
  runner: true,
  id: true,
  ephemeral: true,
  journal: true,
  entries: true,
  parent: true,
  waitForMcp: true,
  reportSandbox: true,
  cacheShard: true,
  allowCacheBreak: true,
  signal: true,
};
