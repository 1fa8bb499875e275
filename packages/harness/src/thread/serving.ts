import type { StepGuard, ToolRuntime } from "@unroll/core";
import { untilAborted } from "@unroll/flow";
import { lowerTools } from "@unroll/item-form";
import { type InitialPrompt, type PromptContext, renderInitialPrompt, type SkillContext } from "@unroll/prompt";
import type { RequestHead, ToolSpec } from "@unroll/protocol";
import { maskStrings } from "@unroll/tools";
import type { AgentPool } from "../agents/agent-pool.ts";
import type { ChildThread } from "../agents/agent-ports.ts";
import type { ThreadBase } from "../base/thread-base.ts";
import { type Compactor, createCompactor } from "../compaction/compactor.ts";
import { readCompactPrompt } from "../compaction/read-compact-prompt.ts";
import { createRepeatGuard } from "../guard/repeated-calls.ts";
import { createStaleContentGuard } from "../guard/stale-content.ts";
import type { ThreadBudget } from "../guard/thread-budget.ts";
import { createClock } from "../host/create-clock.ts";
import type { ThreadMcp } from "../mcp/join-mcp.ts";
import type { ListedModel } from "../model/open-model.ts";
import { createRefusalGuard } from "../server/refusal-guard.ts";
import { createThreadRequests, type ThreadRequests } from "../server/thread-requests.ts";
import type { ThreadServer } from "../server/thread-server.ts";
import { explainMasks } from "../auth/open-secret-mask.ts";
import type { OpenTools } from "../tool/open-tools.ts";
import { readServedWindow } from "../window/read-served-window.ts";
import { createThreadWindow, type ThreadWindow } from "../window/thread-window.ts";
import { type HeadParts, settleHead } from "./settle-head.ts";

/** The part of a thread that stays when another model answers. */
export interface ThreadRoom extends ThreadBase {
  readonly tools: OpenTools;
  readonly mcp: ThreadMcp;
  readonly budget: ThreadBudget;
  /** Its sub-agents. */
  readonly agents: AgentPool<ChildThread>;
  /** Continues with another model if this one does not answer. */
  readonly fallback: StepGuard;
}

/** The model that answers, and what its server takes. */
export interface AnsweringModel {
  readonly model: ListedModel;
  readonly server: ThreadServer;
  /** The login of its requests; null: they use another credential. */
  readonly account: string | null;
}

/**
 * The part of a thread that depends on its model: made when the thread is opened, and again when
 * another model is chosen.
 */
export interface Serving extends AnsweringModel {
  readonly requests: ThreadRequests;
  readonly tools: ToolRuntime;
  readonly guards: readonly StepGuard[];
  readonly compactor: Compactor;
  readonly window: ThreadWindow;
  /** Whether the requests list the tool that calls those of MCP servers that are not listed. */
  readonly hasGateway: boolean;
  readonly prompt: InitialPrompt;
}

export interface ServingOptions extends Pick<
  HeadParts,
  "opened" | "isSent" | "allowsBreak" | "signal" | "accountBefore" | "fallback"
> {
  /** Warnings for the user, before any question. */
  readonly listWarnings: (prompt: InitialPrompt) => readonly string[];
}

/** Renders the prompt for the model of the settings, and settles how the requests begin. Throws as `settleHead`; nothing is another then. */
export async function openServing(
  room: ThreadRoom,
  { model, server, account }: AnsweringModel,
  options: ServingOptions,
): Promise<Serving> {
  const { settings, state, feed, secrets } = room;
  const tools = room.tools.openRuntime(options.opened?.head ?? null);
  const prompt = await renderPrompt(room, tools.specs);
  const { text, warnings } = await readCompactPrompt(settings.config.compaction, room.promptFiles);
  const warn = (message: string): void => feed.tell({ type: "warning", message });
  for (const message of [...options.listWarnings(prompt), ...warnings]) warn(message);
  const specs = lowerTools(tools.specs, server.itemForm);
  const head = await settleHead({ ...room, ...options, server, account, prompt, specs });
  const window = openWindow(room, model, head.bytes.length);
  const compactor = createCompactor({
    config: () => settings.config,
    notes: state.notes,
    headBytes: head.bytes.length,
    prompt: text,
    learnWindow: (servedWindow) => window.learn(servedWindow),
    readsAll: () => window.readsAll(),
  });
  const requests = openRequests(room, server, head);
  return {
    model,
    server,
    account,
    requests,
    tools: secrets ? explainMasks(tools, secrets, state.transcript) : tools,
    guards: listGuards(room, { server, requests, window, compactor, headBytes: head.bytes.length }),
    compactor,
    window,
    hasGateway: head.tools.some(({ name }) => name === "mcp_call"),
    prompt,
  };
}

/** Where files that people wrote for agents lie, and which of them count. */
export function toSkillContext({ shared, settings: { config } }: ThreadBase): SkillContext {
  const { cwd, projectRoot, codexHome, skills, projectTrust } = config;
  const { homeDirectory } = shared.host;
  return { cwd, projectRoot, codexHome, homeDirectory, skillPolicy: { ...skills, projectTrust } };
}

/** The context of the prompt, from the settings and the machine. `tools`: as in a request of the thread. */
export function toPromptContext(base: ThreadBase, tools: readonly ToolSpec[]): PromptContext {
  const { settings, shell, own } = base;
  const { config, sandbox, approvals, today } = settings;
  return {
    ...toSkillContext(base),
    shellName: shell.name,
    tools,
    ...(own.instructions !== null && { instructions: own.instructions }),
    today,
    modelFamilyId: config.modelFamily.id,
    instructionsFolder: null,
    instructionsFile: config.modelInstructionsFile,
    developerInstructions: config.developerInstructions,
    projectDocMaxBytes: config.projectDocMaxBytes,
    projectDocFallbackFilenames: config.projectDocFallbackFilenames,
    sandboxPolicy: sandbox.policy,
    sandboxReport: sandbox.reported,
    approvalPolicy: approvals.policy,
  };
}

/** The project's files may hold a secret, too. */
async function renderPrompt(room: ThreadRoom, tools: readonly ToolSpec[]): Promise<InitialPrompt> {
  const { promptFiles, secrets } = room;
  const prompt = await renderInitialPrompt(toPromptContext(room, tools), promptFiles);
  return secrets ? { ...prompt, items: maskStrings(prompt.items, secrets.mask) } : prompt;
}

function openWindow({ shared, settings, feed }: ThreadRoom, model: ListedModel, headBytes: number): ThreadWindow {
  const { host, windows, closing } = shared;
  const reach = model.reach?.bind(model) ?? null;
  return createThreadWindow({
    settings,
    read(signal) {
      const { config } = settings;
      const key = JSON.stringify([config.provider, config.model]);
      const look = windows(key, () => readServedWindow(config, { env: host.env, signal: closing, reach }));
      return untilAborted(look, signal); // other threads may wait for it
    },
    tell: (event) => feed.tell(event),
    clock: createClock(host),
    headBytes,
  });
}

function openRequests(
  { own: { id: threadId }, settings, state }: ThreadRoom,
  server: ThreadServer,
  head: RequestHead,
): ThreadRequests {
  const { model, provider } = settings.config;
  const opened = { type: "thread.opened", threadId, model, provider: provider.id } as const;
  const onHead = (left: RequestHead): void => state.journal.record({ ...opened, head: left, ...server.form });
  return createThreadRequests({ threadId, head, omitted: () => server.omitted, onHead });
}

interface GuardedParts extends Pick<Serving, "server" | "requests" | "window" | "compactor"> {
  readonly headBytes: number;
}

/** A budget that is used up saves what the others would cost; and what they cost may use it up. */
function listGuards(
  { own: { id: threadId, guards }, state, settings, tools, budget, fallback }: ThreadRoom,
  { server, requests, window, compactor, headBytes }: GuardedParts,
): readonly StepGuard[] {
  const { model, provider, repeatedCalls } = settings.config;
  const stale = createStaleContentGuard({ keepsIds: provider.azure });
  const refusals = createRefusalGuard({ threadId, model, state, server, requests, functions: tools.functions });
  const others = [...guards, window.guard, compactor.guard, fallback];
  const spending = budget.guard(headBytes);
  return [spending, createRepeatGuard(repeatedCalls), stale, refusals, ...others, spending];
}
