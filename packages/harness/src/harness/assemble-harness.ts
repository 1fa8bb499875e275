import { openRuleStore } from "@unroll/approval/node";
import { applyChange, findModelPrice } from "@unroll/config";
import { createSerialQueue, followSignals, settleAll } from "@unroll/flow";
import type { McpPool } from "@unroll/mcp";
import { nodePromptFiles } from "@unroll/prompt/node";
import { unrollVersion } from "@unroll/protocol";
import { builtinToolNames } from "@unroll/tools";
import { createLearnedSecrets } from "../auth/learned-secrets.ts";
import { createClock } from "../host/create-clock.ts";
import { settleConfig, settleThreadConfig } from "../settings/settle-config.ts";
import { openMcp } from "../mcp/open-mcp.ts";
import { toPerson } from "../to-person.ts";
import { createModelPool } from "../model/open-model.ts";
import { createLoginShellSharing } from "../sandbox/login-shell-sharing.ts";
import { createSandboxBackends } from "../sandbox/create-sandbox.ts";
import type { SharedParts } from "../base/shared-parts.ts";
import type { ThreadOrigin } from "../thread/open-past.ts";
import type { ForkOptions, ThreadOptions } from "../thread/thread-options.ts";
import type { ThreadRequest } from "../thread/settle-thread.ts";
import { startThread } from "../thread/start-thread.ts";
import type { Thread } from "../thread/thread.ts";
import { createLooks, shareLooks } from "../base/share-looks.ts";
import { type Harness, type HarnessOptions, threadOptions } from "./harness.ts";
import { HarnessError } from "../harness-error.ts";
import { checkCall, checkOwnOptions } from "../check-options.ts";

/** A harness, and the only function that opens its threads. */
interface AssembledHarness {
  readonly harness: Harness;
  /** `call`: for messages. `owner`: disposed after the thread. The options are already checked. */
  readonly open: (
    call: string,
    origin: ThreadOrigin,
    options: ThreadOptions & { readonly owner?: AsyncDisposable },
  ) => Promise<Thread>;
}

/**
 * Assembles what threads share, from checked options. A file of its own, because it loads the whole
 * harness.
 */
export async function assembleHarness(options: HarnessOptions): Promise<AssembledHarness> {
  const { host, model = null, person = null, store = null, executor = null, deltaGapMs, onRateLimits } = options;
  const { serverNotes = null } = options;
  const { userAgent = `unroll_sdk/${unrollVersion} (${host.platform})` } = options;
  const config = await settleConfig(options.config ?? {}, host);
  const { priceOf = (name, provider) => findModelPrice(config.catalogue, name, provider) } = options;
  await using opening = new AsyncDisposableStack();
  const learned = createLearnedSecrets();
  const models = opening.use(createModelPool({ host, userAgent, model, learned, deltaGapMs, onRateLimits }));
  await models.find(config);
  const mcp = await openMcp({ config, host, executor, learned });
  if (mcp) opening.use(mcp);
  const mcpServers = watchServers(mcp, opening);
  const members = createMembers();
  const shared: SharedParts = {
    host,
    executor,
    promptFiles: shareLooks(executor?.promptFiles ?? nodePromptFiles),
    standing: createLooks(),
    windows: createLooks(),
    closing: members.closing,
    userAgent,
    store,
    serverNotes,
    config,
    settleConfig: (call, own) => settleThreadConfig(own, { config: options.config ?? {}, host, call }),
    person: person === null ? null : toPerson(person),
    models,
    priceOf,
    learned,
    mcp,
    mcpServers,
    book: await openRuleStore(config.codexHome, { isIgnored: options.ignoreRules ?? false, clock: createClock(host) }),
    backends: createSandboxBackends(),
    logins: opening.use(createLoginShellSharing(host)),
    oneByOne: createSerialQueue(),
  };
  opening.defer(() => members.close());
  const opened = opening.move();
  const open: AssembledHarness["open"] = (call, origin, { owner = null, ...options }) =>
    members.add(async (closing) => {
      const settled = await settle(shared, call, options);
      using wanted = followSignals(options.signal === undefined ? [closing] : [closing, options.signal]);
      return await startThread(shared, { origin, options: { ...options, signal: wanted.signal }, ...settled, owner });
    });
  const harness: Harness = {
    async openThread(own = {}) {
      checkThreadOptions("openThread", own);
      return open("openThread", { type: "new" }, own);
    },
    async resumeThread(id, own = {}) {
      checkKept("resumeThread", id, own);
      return open("resumeThread", { type: "stored", id }, own);
    },
    async forkThread(id, own = {}) {
      checkFork("forkThread", id, own);
      return open("forkThread", { type: "fork", id, at: own.at ?? null }, own);
    },
    mcpServers,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
  return { harness, open };
}

/** The servers, seen through a view that belongs to no thread. */
function watchServers(mcp: McpPool | null, opening: AsyncDisposableStack): SharedParts["mcpServers"] {
  if (mcp === null) return () => [];
  const view = mcp.join({});
  opening.defer(() => view.close());
  return () => view.servers();
}

/** The whole config of one thread: its own, or the harness's, in its parent's folder. */
async function settle(
  { config: settled, settleConfig }: SharedParts,
  call: string,
  { config, parent }: ThreadOptions,
): Promise<Pick<ThreadRequest, "config" | "followsParent">> {
  if (config !== undefined) return { config: await settleConfig(call, config), followsParent: false };
  if (parent === undefined) return { config: settled, followsParent: false };
  const { cwd } = parent.bounds.settings.config;
  return { config: cwd === settled.cwd ? settled : applyChange(settled, { cwd }), followsParent: true };
}

/** The threads of a harness, including those that are being opened. */
interface Members {
  /** Aborts when they are closed. */
  readonly closing: AbortSignal;
  /**
   * Throws `HarnessError` `closed` if the harness is closed, or closes while the thread is opened.
   * In that case `closing` aborts and the thread is closed.
   */
  add(open: (closing: AbortSignal) => Promise<Thread>): Promise<Thread>;
  /** Closes all of them at the same time. */
  close(): Promise<void>;
}

function createMembers(): Members {
  const threads = new Set<Thread>();
  const opening = new Set<Promise<unknown>>();
  const closing = new AbortController();
  const { signal } = closing;

  async function open(start: (closing: AbortSignal) => Promise<Thread>): Promise<Thread> {
    try {
      const thread = await start(signal);
      if (signal.aborted) await thread[Symbol.asyncDispose]();
      threads.add(thread);
      thread.onClose(() => void threads.delete(thread));
      return thread;
    } finally {
      signal.throwIfAborted(); // whatever opening it returned
    }
  }

  return {
    closing: signal,
    async add(start) {
      signal.throwIfAborted();
      const thread = open(start);
      opening.add(thread);
      try {
        return await thread;
      } finally {
        opening.delete(thread);
      }
    },
    async close() {
      closing.abort(new HarnessError("closed", "The harness is closed: open another one."));
      const closed = settleAll([...threads].map((thread) => thread[Symbol.asyncDispose]()));
      await Promise.allSettled([closed, ...opening]);
      await closed;
    },
  };
}

/** Checks the options of a thread for callers without types. Throws `HarnessError` `invalid_options`. */
function checkThreadOptions(call: string, options: ThreadOptions): void {
  checkOwnOptions(call, options, threadOptions);
  checkBuiltins(call, options.builtins);
  if (options.parent !== undefined) checkCall(`${call}, parent`, options.parent, { bounds: "an object" });
}

/** Checks the options of a saved thread; `id` is its id. */
function checkKept(call: string, id: unknown, options: ThreadOptions): void {
  checkCall(call, { id }, { id: "text" });
  checkThreadOptions(call, options);
}

/** Checks the options of a fork. */
function checkFork(call: string, id: unknown, options: ForkOptions): void {
  checkCall(call, { id, options }, { id: "text", "options.at?": "a number" });
  const { at: _at, ...own } = options;
  checkThreadOptions(call, own);
}

/**
 * Throws `HarnessError` `invalid_options` for an unknown built-in tool, and for `write_stdin`
 * without `exec_command`.
 */
export function checkBuiltins(call: string, builtins: unknown): void {
  if (builtins === undefined) return;
  const names: readonly unknown[] = Array.isArray(builtins) ? builtins : [builtins];
  const wrong = names.find((name) => !builtinToolNames.some((each) => each === name));
  if (wrong !== undefined) {
    const message = `${call}: builtins: there is no built-in tool ${JSON.stringify(wrong)}: there are ${builtinToolNames.join(", ")}.`;
    throw new HarnessError("invalid_options", message);
  }
  if (names.includes("write_stdin") && !names.includes("exec_command")) {
    const message = `${call}: builtins: write_stdin needs exec_command. Name exec_command, which brings both.`;
    throw new HarnessError("invalid_options", message);
  }
}
