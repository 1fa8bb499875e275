import { openRuleStore } from "@unroll/approval/node";
import { findModelPrice } from "@unroll/config";
import { followSignals } from "@unroll/flow";
import type { McpPool } from "@unroll/mcp";
import { nodePromptFiles } from "@unroll/prompt/node";
import { createLearnedSecrets } from "../auth/learned-secrets.ts";
import { createClock } from "../host/create-clock.ts";
import { settleConfig, settleThreadConfig } from "../config/settle-config.ts";
import { openMcp } from "../mcp/open-mcp.ts";
import { applyChange } from "../settings/apply-change.ts";
import { toPerson } from "../to-person.ts";
import { createModelPool } from "../model/model-pool.ts";
import { createLoginShellSharing } from "../sandbox/login-shell-sharing.ts";
import { createSandboxBackends } from "../sandbox/sandbox-backends.ts";
import type { SharedParts } from "../thread/shared-parts.ts";
import type { ThreadOrigin } from "../thread/open-past.ts";
import type { ThreadOptions } from "../thread/thread-options.ts";
import type { ThreadRequest } from "../thread/settle-thread.ts";
import { startThread } from "../thread/start-thread.ts";
import type { Thread } from "../thread/thread.ts";
import { createLooks, shareLooks } from "../thread/share-looks.ts";
import { checkFork, checkKept, checkThreadOptions } from "./check-thread-options.ts";
import type { Harness, HarnessOptions } from "./harness.ts";
import { createMembers } from "./members.ts";

/** A harness, and the one way in which its threads are opened. */
export interface AssembledHarness {
  readonly harness: Harness;
  /** `call`: for messages. `owner`: disposed behind the thread. The options are checked. */
  readonly open: (
    call: string,
    origin: ThreadOrigin,
    options: ThreadOptions & { readonly owner?: AsyncDisposable },
  ) => Promise<Thread>;
}

/** Puts together what threads share, of options that were checked. Apart from what calls it: here all of the harness is loaded. */
export async function assembleHarness(options: HarnessOptions): Promise<AssembledHarness> {
  const { host, model = null, person = null, store = null, machine = null, deltaGapMs } = options;
  const { serverNotes = null } = options;
  const { userAgent = `unroll_sdk (${host.platform})` } = options;
  const config = await settleConfig(options.config ?? {}, host);
  const { priceOf = (name, provider) => findModelPrice(config.catalogue, name, provider) } = options;
  await using opening = new AsyncDisposableStack();
  const learned = createLearnedSecrets();
  const models = opening.use(createModelPool({ host, userAgent, model, learned, deltaGapMs }));
  await models.find(config);
  const mcp = await openMcp({ config, host, machine });
  if (mcp) opening.use(mcp);
  const mcpServers = watchServers(mcp, opening);
  const shared: SharedParts = {
    host,
    machine,
    promptFiles: shareLooks(machine?.promptFiles ?? nodePromptFiles),
    standing: createLooks(),
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
  };
  const members = createMembers();
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

/** The servers as a view of nobody's sees them. */
function watchServers(mcp: McpPool | null, opening: AsyncDisposableStack): SharedParts["mcpServers"] {
  if (mcp === null) return () => [];
  const view = mcp.join({});
  opening.defer(() => view.close());
  return () => view.servers();
}

/** The whole config of one thread: its own, or that of the harness, in the folder of its parent. */
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
