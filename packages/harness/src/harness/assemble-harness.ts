import { openRuleBook } from "@unroll/approval/node";
import { findModelPrice, type ResolvedConfig } from "@unroll/config";
import type { McpPool } from "@unroll/mcp";
import { nodePromptFiles } from "@unroll/prompt/node";
import { createLearnedSecrets } from "../auth/learned-secrets.ts";
import { createClock } from "../host/create-clock.ts";
import { type HarnessPlace, settleConfig, settleThreadConfig } from "../config/settle-config.ts";
import { openMcp } from "../mcp/open-mcp.ts";
import { applyChange } from "../settings/apply-change.ts";
import { toPerson } from "../to-person.ts";
import { createModelPool } from "../model/model-pool.ts";
import { createLoginShellSharing } from "../sandbox/login-shell-sharing.ts";
import { createSandboxBackends } from "../sandbox/sandbox-backends.ts";
import type { SharedParts } from "../thread/shared-parts.ts";
import {
  type ForkOptions,
  forkStoredThread,
  openNewThread,
  resumeStoredThread,
  type SettledForkOptions,
} from "../thread/kept-threads.ts";
import { createLooks, shareLooks } from "../thread/share-looks.ts";
import { checkFork, checkKept, checkThreadOptions } from "./check-thread-options.ts";
import type { Harness, HarnessOptions } from "./harness.ts";
import { createMembers } from "./members.ts";

/** Puts together what threads share, of options that were checked. Apart from what calls it: here all of the harness is loaded. */
export async function assembleHarness(options: HarnessOptions): Promise<Harness> {
  const { host, model = null, person = null, store = null, machine = null, deltaGapMs } = options;
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
    config,
    person: person === null ? null : toPerson(person),
    models,
    priceOf,
    learned,
    mcp,
    mcpServers,
    book: await openRuleBook(config.codexHome, { isIgnored: options.ignoreRules ?? false, clock: createClock(host) }),
    backends: createSandboxBackends(),
    logins: opening.use(createLoginShellSharing(host)),
  };
  const members = createMembers();
  opening.defer(() => members.close());
  const opened = opening.move();
  const place = { config: options.config ?? {}, settled: config, host };
  return {
    async openThread(own = {}) {
      checkThreadOptions("openThread", own);
      return members.add(async () => openNewThread(shared, await settle(own, { ...place, call: "openThread" })));
    },
    async resumeThread(id, own = {}) {
      checkKept("resumeThread", id, own);
      const call = "resumeThread";
      return members.add(async () => resumeStoredThread(shared, id, await settle(own, { ...place, call })));
    },
    async forkThread(id, own = {}) {
      checkFork("forkThread", id, own);
      return members.add(async () => forkStoredThread(shared, id, await settle(own, { ...place, call: "forkThread" })));
    },
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

/** The options of one thread, with a whole config where it has one of its own, or is in another folder by its parent. */
async function settle(
  { config, ...own }: ForkOptions,
  place: HarnessPlace & { readonly settled: ResolvedConfig },
): Promise<SettledForkOptions> {
  if (config !== undefined) return { ...own, config: await settleThreadConfig(config, place) };
  if (own.parent === undefined) return own;
  const { cwd } = own.parent.bounds.settings.config;
  return {
    ...own,
    ...(cwd !== place.settled.cwd && { config: applyChange(place.settled, { cwd }) }),
    followsParent: true,
  };
}
