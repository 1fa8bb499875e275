import { findModelPrice, type ResolvedConfig } from "@unroll/config";
import type { ModelClient } from "@unroll/core";
import type { McpPool, McpServerStatus } from "@unroll/mcp";
import type { ModelPrice, Person, ThreadStore } from "@unroll/protocol";
import { createLearnedSecrets } from "../auth/learned-secrets.ts";
import { openRuleBook } from "../approval/rule-book.ts";
import { type ConfigSettings, settleConfig } from "../config/settle-config.ts";
import type { HostEnvironment } from "../host/host-environment.ts";
import { openMcp } from "../mcp/open-mcp.ts";
import { checkHost, checkOptions } from "../options/check-options.ts";
import { type Approver, toPerson } from "../person/to-person.ts";
import { createModelPool } from "../model/model-pool.ts";
import { createSandboxBackends } from "../sandbox/sandbox-backends.ts";
import type { SharedParts } from "../thread/shared-parts.ts";
import { type ForkOptions, forkStoredThread, openNewThread, resumeStoredThread } from "../thread/kept-threads.ts";
import type { ThreadOptions } from "../thread/start-thread.ts";
import type { Thread } from "../thread/thread.ts";
import { createMembers } from "./members.ts";

/** What threads share, and what is theirs where they bring nothing of their own. */
export interface HarnessOptions {
  /** The machine: `nodeHost()` of `@unroll/harness/node`. */
  readonly host: HostEnvironment;
  /** Of all its threads, but for what a thread brings of its own. Absent: what `unroll` would run with in the host's folder. */
  readonly config?: ResolvedConfig | ConfigSettings;
  /** Who asks, for the server's logs: `my-program/1.2.0`. Absent: `unroll_sdk` and the platform. */
  readonly userAgent?: string;
  /** Absent: a client of the provider that the config names. */
  readonly model?: ModelClient;
  /** Where threads last beyond this process. Absent: they do not. */
  readonly store?: ThreadStore;
  /** What a model of a provider costs, null where that is not known; for limits of cost. Absent: by the catalogue. */
  readonly priceOf?: (model: string, provider: string) => ModelPrice | null;
  /** Passes over the rules of `config.codexHome`, those that forbid, too. Default no. */
  readonly ignoreRules?: boolean;
  /** Answers what policy, the model and MCP servers ask. Absent: nothing is asked, and what would be is refused. */
  readonly person?: Person | Approver;
}

const known: Readonly<Record<keyof HarnessOptions, true>> = {
  host: true,
  config: true,
  userAgent: true,
  model: true,
  store: true,
  priceOf: true,
  ignoreRules: true,
  person: true,
};

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

/**
 * Opens what threads share. MCP servers start at once and beside everything else. Throws `HarnessError` for a missing key
 * and for rules that cannot be read, `ConfigError` for a config that cannot be used, `AuthError` for a login that cannot, and
 * `HarnessError` `invalid_options` for what is no option.
 */
export async function openHarness(options: HarnessOptions): Promise<Harness> {
  checkOptions("openHarness", options, known);
  return openCheckedHarness("openHarness", options);
}

/** `call`: what the program called, for messages. */
export async function openCheckedHarness(call: string, options: HarnessOptions): Promise<Harness> {
  checkHost(call, options);
  const { host, model = null, person = null, store = null } = options;
  const { userAgent = `unroll_sdk (${host.platform})` } = options;
  const config = await settleConfig(options.config ?? {}, host);
  const { priceOf = (name, provider) => findModelPrice(config.catalogue, name, provider) } = options;
  await using opening = new AsyncDisposableStack();
  const learned = createLearnedSecrets();
  const models = opening.use(createModelPool({ host, userAgent, model, learned }));
  await models.find(config);
  const mcp = await openMcp({ config, host });
  if (mcp) opening.use(mcp);
  const mcpServers = watchServers(mcp, opening);
  const shared: SharedParts = {
    host,
    userAgent,
    store,
    config,
    person: person === null ? null : toPerson(person),
    models,
    priceOf,
    learned,
    mcp,
    mcpServers,
    book: await openRuleBook(config.codexHome, { isIgnored: options.ignoreRules ?? false }),
    backends: createSandboxBackends(),
  };
  const members = createMembers();
  opening.defer(() => members.close());
  const opened = opening.move();
  return {
    openThread: (threadOptions = {}) => members.add(() => openNewThread(shared, threadOptions)),
    resumeThread: (id, threadOptions = {}) => members.add(() => resumeStoredThread(shared, id, threadOptions)),
    forkThread: (id, forkOptions = {}) => members.add(() => forkStoredThread(shared, id, forkOptions)),
    mcpServers,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** The servers as a view of nobody's sees them. */
function watchServers(mcp: McpPool | null, opening: AsyncDisposableStack): SharedParts["mcpServers"] {
  if (mcp === null) return () => [];
  const view = mcp.join({});
  opening.defer(() => view.close());
  return () => view.servers();
}
