import type { ResolvedConfig, ServerNotes } from "@unroll/config";
import type { ModelClient } from "@unroll/core";
import type { McpServerStatus, ModelPrice, ThreadStore } from "@unroll/protocol";
import type { ConfigSettings } from "../settings/settle-config.ts";
import type { Host } from "../host/host.ts";
import type { Executor } from "../host/executor.ts";
import type { AnyPerson } from "../to-person.ts";
import type { ForkOptions, ThreadOptions } from "../thread/thread-options.ts";
import type { Thread } from "../thread/thread.ts";

/** What threads share, and what is theirs where they bring nothing of their own. */
export interface HarnessOptions {
  /** The machine: `nodeHost()` of `@unroll/harness/node`. */
  readonly host: Host;
  /** Of all its threads, but for what a thread brings of its own. Absent: what `unroll` would run with in the host's folder. */
  readonly config?: ResolvedConfig | ConfigSettings;
  /** Who asks, for the server's logs: `my-program/1.2.0`. Absent: `unroll_sdk` and the platform. */
  readonly userAgent?: string;
  /** Absent: a client of the provider that the config names. */
  readonly model?: ModelClient;
  /** Where threads last beyond this process. Absent: they do not. */
  readonly store?: ThreadStore;
  /** Remembers what servers refused, for new threads. Absent: files below `codexHome`. */
  readonly serverNotes?: ServerNotes;
  /** What a model of a provider costs, null where that is not known; for limits of cost. Absent: by the catalogue. */
  readonly priceOf?: (model: string, provider: string) => ModelPrice | null;
  /** Passes over the rules of `config.codexHome`, those that forbid, too. Default no. */
  readonly ignoreRules?: boolean;
  /**
   * Live text of the model is told at most so often, in ms, in fewer and longer events: for who shows it to a person. Not of a `model` of
   * your own. Default 0: as it comes.
   */
  readonly deltaGapMs?: number;
  /** Absent: this machine, with its sandbox. Rules and images are this one's in any case, MCP servers where it does not reach them. */
  readonly executor?: Executor;
  /** Answers what policy, the model and MCP servers ask. Absent: nothing is asked, and what would be is refused. */
  readonly person?: AnyPerson;
}

/** What threads share: connections, MCP servers, rules, the look for a sandbox. Closing it closes its threads. */
export interface Harness extends AsyncDisposable {
  /**
   * Opens a new thread, or goes on with one. Throws `PromptError` for an instruction file that cannot be read, and
   * `HarnessError` where the key of its provider is missing, a required MCP server does not start, or the harness is closed.
   */
  openThread(options?: ThreadOptions): Promise<Thread>;
  /**
   * Goes on with a thread of the store: by its id or the beginning of one, or `last`, the one that was used last of those
   * that were begun in the working folder. Its requests begin as they did, byte for byte; what was mended in it is told by `warning` events. Throws what `openThread`
   * and the store throw, and `HarnessError` `thread_missing` where there is no last one.
   */
  resumeThread(id: string, options?: ThreadOptions): Promise<Thread>;
  /** A new thread that begins as one of the store does, which stays as it is. Throws what `resumeThread` throws. */
  forkThread(id: string, options?: ForkOptions): Promise<Thread>;
  /** The MCP servers of the config, as they are now. */
  mcpServers(): readonly McpServerStatus[];
}

/** The names of what a harness is opened with. */
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
  executor: true,
  person: true,
};

/** The names of what one thread is opened with. */
export const threadOptions: Readonly<Record<keyof ThreadOptions, true>> = {
  config: true,
  person: true,
  tools: true,
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
  allowCacheBreak: true,
  signal: true,
};
