import { listSecretValues, type ResolvedConfig } from "@unroll/config";
import type { Host } from "@unroll/harness";
import { findNamedThread, findThreadId, openProgramStore, toUserAgent } from "@unroll/program";
import type { Person, ThreadStore } from "@unroll/protocol";
import { createPlanMode, type PlanMode } from "@unroll/use-cases/plan";
import type { Conversation, ThreadOrigin } from "../conversation/conversation.ts";
import { openConversation } from "../conversation/open-conversation.ts";
import { createOwnModel, type OwnModel } from "../conversation/own-model.ts";
import { openHistory } from "../device/history.ts";
import type { TerminalOptions } from "../terminal-options.ts";
import type { App, AppOptions } from "./app.ts";
import { createPerson } from "./create-person.ts";
import { notifyPerson } from "./notify-person.ts";

interface OpenAppOptions extends AppOptions {
  readonly host: Host;
  readonly config: ResolvedConfig;
}

/** Opens the conversation with all that is around it. Closed by closing its conversation. */
export async function openApp(parts: OpenAppOptions): Promise<App> {
  const { options, io, driver, config, ending, clock } = parts;
  const host = { ...parts.host, cwd: config.cwd };
  const libraries = await driver.load();
  const held: { conversation: Conversation | null } = { conversation: null };
  const plan = createPlanMode(() => requireConversation(held));
  const ownModel = createOwnModel(options, host);
  const person = createPerson({
    driver,
    libraries,
    cwd: config.cwd,
    wish: ownModel.wish,
    onQuestion(message) {
      const { conversation: asking } = held;
      if (asking !== null)
        notifyPerson({ conversation: asking, driver, io }, { type: "approval-requested", message, isLong: true });
    },
  });
  const { conversation, origin } = await openThreads(parts, { host, plan, person, ownModel });
  held.conversation = conversation;
  const history = await openHistory({
    codexHome: config.codexHome,
    isKept: isKept(parts),
    threadId: () => conversation.thread.id,
    clock,
    secrets: listSecretValues(config, host.env),
  });
  return {
    io,
    host,
    flags: options,
    clock,
    driver,
    conversation,
    libraries,
    copiedFrom: origin.type === "fork" ? origin.id : null,
    plan,
    history,
    ending,
    signal: ending.signal,
    commands: [],
    stopWork: null,
    workingSince: null,
    costUsd: 0,
    shownItems: 0,
  };
}

function isKept({ options, config }: Pick<OpenAppOptions, "options" | "config">): boolean {
  return config.historyPersistence === "save-all" && options.ephemeral !== true;
}

function requireConversation({ conversation }: { readonly conversation: Conversation | null }): Conversation {
  if (conversation === null) throw new Error("No conversation is open yet.");
  return conversation;
}

/** Text that comes is shown no more often. */
const deltaGapMs = 50;

interface ThreadParts {
  readonly host: Host;
  readonly plan: PlanMode;
  readonly person: Person;
  readonly ownModel: OwnModel;
}

async function openThreads(
  { options, io, config, driver, ending }: OpenAppOptions,
  { host, plan, person, ownModel }: ThreadParts,
): Promise<{ readonly conversation: Conversation; readonly origin: ThreadOrigin }> {
  const named = options.from ?? null;
  const store = isKept({ options, config }) || named !== null ? await openProgramStore(config.codexHome, io) : null;
  const origin: ThreadOrigin =
    store === null || named === null ? { type: "new" } : await toOrigin(named, config, store);
  const opening = openConversation({
    harness: {
      host,
      config,
      userAgent: toUserAgent("unroll", host),
      person,
      ignoreRules: options.ignoreRules ?? false,
      deltaGapMs,
    },
    thread: {
      gate: plan.gate,
      waitForMcp: options.waitMcp ?? false,
      signal: ending.signal,
      ...(options.allowCacheBreak === true && { allowPrefixBreak: true }),
    },
    store,
    ownModel,
    origin,
  });
  return { conversation: await opening.catch((error: unknown) => showFailure(error, { driver, config })), origin };
}

/** What happened to a thread that cannot be opened, as to its MCP servers, before the error is thrown. */
async function showFailure(
  error: unknown,
  { driver, config }: Pick<OpenAppOptions, "driver" | "config">,
): Promise<never> {
  const { HarnessError } = await import("@unroll/harness");
  driver.beginThread({ cwd: config.cwd, hidesReasoning: config.hideAgentReasoning });
  if (error instanceof HarnessError) for (const event of error.events) await driver.apply(event);
  throw error;
}

async function toOrigin(
  { name, all, copiedTurns }: NonNullable<TerminalOptions["from"]>,
  { cwd }: ResolvedConfig,
  store: ThreadStore,
): Promise<ThreadOrigin> {
  if (copiedTurns === null) return { type: "resume", id: await findNamedThread(store, { name, cwd, all }) };
  // the copy is begun from it more than once: what is the last one by then may be another
  const id = await findThreadId(store, { name, cwd, all });
  return { type: "fork", id, turns: copiedTurns === "all" ? null : copiedTurns };
}
