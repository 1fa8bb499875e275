import type { StepGuard, ThreadState, ToolRuntime } from "@unroll/core";
import { lowerTools } from "@unroll/item-form";
import { type InitialPrompt, type PromptContext, renderInitialPrompt } from "@unroll/prompt";
import type { RequestHead, ToolSpec } from "@unroll/protocol";
import type { SecretMask } from "@unroll/text";
import { maskStrings, type UserShell } from "@unroll/tools";
import { type Compactor, createCompactor } from "../compaction/compactor.ts";
import { readCompactPrompt } from "../compaction/read-compact-prompt.ts";
import { createRepeatGuard } from "../guard/repeated-calls.ts";
import { createStaleContentGuard } from "../guard/stale-content.ts";
import type { ThreadBudget } from "../guard/thread-budget.ts";
import { createClock } from "../host/create-clock.ts";
import type { ThreadMcp } from "../mcp/join-mcp.ts";
import type { ListedModel } from "../model/open-model.ts";
import type { OpenedThread } from "../cache-break.ts";
import { createRefusalGuard } from "../server/refusal-guard.ts";
import { createThreadRequests, type ThreadRequests } from "../server/thread-requests.ts";
import type { ThreadServer } from "../server/thread-server.ts";
import type { ThreadSettings } from "../settings/thread-settings.ts";
import { explainMasks } from "../auth/open-secret-mask.ts";
import type { OpenTools } from "../tool/open-tools.ts";
import { readServedWindow } from "../window/read-served-window.ts";
import { createThreadWindow, type ThreadWindow } from "../window/thread-window.ts";
import { settleHead } from "./settle-head.ts";
import type { SharedParts } from "./shared-parts.ts";
import type { ThreadFeed } from "./thread-feed.ts";
import { openPromptFiles } from "./gate-files.ts";

/** What of a thread stays when another model answers it. */
export interface ThreadRoom {
  readonly own: {
    readonly id: string;
    /** In place of the base instructions; null: those. */
    readonly instructions: string | null;
    /** Of the program, asked behind the thread's own. */
    readonly guards: readonly StepGuard[];
  };
  readonly shared: SharedParts;
  readonly shell: UserShell;
  readonly settings: ThreadSettings;
  readonly state: ThreadState;
  readonly feed: ThreadFeed;
  /** Null: nothing is masked. */
  readonly secrets: SecretMask | null;
  readonly tools: OpenTools;
  readonly mcp: ThreadMcp;
  readonly budget: ThreadBudget;
}

/** The model that answers, and what its server takes. */
export interface AnsweringModel {
  readonly model: ListedModel;
  readonly server: ThreadServer;
}

/** What of a thread hangs on its model: made when the thread is opened, and anew when another model is chosen. */
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

export interface ServingOptions {
  /** How the requests of the thread began so far; null: it is a new one. */
  readonly opened: OpenedThread | null;
  /** As of `HeadParts`. */
  readonly isSent: boolean;
  /** As of `HeadParts`. */
  readonly allowsBreak: boolean;
  /** Withdraws a question. */
  readonly signal: AbortSignal;
  /** What a person is warned of, before they are asked anything. */
  readonly listWarnings: (prompt: InitialPrompt) => readonly string[];
}

/** Renders the prompt for the model of the settings, and settles how the requests begin. Throws as `settleHead`; nothing is another then. */
export async function openServing(
  room: ThreadRoom,
  { model, server }: AnsweringModel,
  options: ServingOptions,
): Promise<Serving> {
  const { settings, state, feed, secrets, mcp } = room;
  const { opened, isSent, allowsBreak, signal, listWarnings } = options;
  const tools = room.tools.openRuntime(opened?.head ?? null);
  const prompt = await renderPrompt(room, tools.specs);
  const { text, warnings } = await readCompactPrompt(
    settings.config.compaction,
    openPromptFiles(room.shared, settings),
  );
  const warn = (message: string): void => feed.tell({ type: "warning", message });
  for (const message of [...listWarnings(prompt), ...warnings]) warn(message);
  const head = await settleHead({
    threadId: room.own.id,
    config: settings.config,
    server,
    state,
    prompt,
    specs: lowerTools(tools.specs, server.itemForm),
    mcpListed: mcp.listed,
    opened,
    person: settings.person,
    isSent,
    allowsBreak,
    signal,
    tell: (event) => feed.tell(event),
  });
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
    requests,
    tools: secrets ? explainMasks(tools, secrets, state.transcript) : tools,
    guards: listGuards(room, { server, requests, window, compactor }),
    compactor,
    window,
    hasGateway: head.tools.some(({ name }) => name === "mcp_call"),
    prompt,
  };
}

/** `tools`: as of a request of the thread. */
export function toThreadContext(
  { shared, settings, shell, own }: Pick<ThreadRoom, "shared" | "settings" | "shell" | "own">,
  tools: readonly ToolSpec[],
): ReturnType<typeof toPromptContext> {
  const { homeDirectory } = shared.host;
  return toPromptContext(settings, { homeDirectory, shellName: shell.name, instructions: own.instructions, tools });
}

/** The project's files may hold a secret, too. */
async function renderPrompt(room: ThreadRoom, tools: readonly ToolSpec[]): Promise<InitialPrompt> {
  const { shared, secrets, settings } = room;
  const prompt = await renderInitialPrompt(toThreadContext(room, tools), openPromptFiles(shared, settings));
  return secrets ? { ...prompt, items: maskStrings(prompt.items, secrets.mask) } : prompt;
}

function openWindow({ shared, settings, feed }: ThreadRoom, model: ListedModel, headBytes: number): ThreadWindow {
  const { host } = shared;
  const reach = model.reach?.bind(model) ?? null;
  return createThreadWindow({
    settings,
    read: (signal) => readServedWindow(settings.config, { env: host.env, signal, reach }),
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

/** A budget that is used up saves what the others would cost; and what they cost may use it up. */
function listGuards(
  { own: { id: threadId, guards }, state, settings, tools, budget }: ThreadRoom,
  { server, requests, window, compactor }: Pick<Serving, "server" | "requests" | "window" | "compactor">,
): readonly StepGuard[] {
  const { model, provider, repeatedCalls } = settings.config;
  const stale = createStaleContentGuard({ keepsIds: provider.azure });
  const refusals = createRefusalGuard({ threadId, model, state, server, requests, functions: tools.functions });
  const others = [...guards, window.guard, compactor.guard];
  return [budget.guard, createRepeatGuard(repeatedCalls), stale, refusals, ...others, budget.guard];
}

interface PromptPlace {
  readonly homeDirectory: string;
  readonly shellName: string;
  /** Of the program; null: none. */
  readonly instructions: string | null;
  /** As of a request of the thread. */
  readonly tools: readonly ToolSpec[];
}

/** What the settings and the machine say of the prompt. */
function toPromptContext(settings: ThreadSettings, place: PromptPlace): PromptContext {
  const { config, sandbox, approvals, today } = settings;
  const { instructions, ...machine } = place;
  return {
    ...machine,
    ...(instructions !== null && { instructions }),
    today,
    cwd: config.cwd,
    projectRoot: config.projectRoot,
    codexHome: config.codexHome,
    modelFamilyId: config.modelFamily.id,
    instructionsFolder: null,
    instructionsFile: config.modelInstructionsFile,
    developerInstructions: config.developerInstructions,
    projectDocMaxBytes: config.projectDocMaxBytes,
    projectDocFallbackFilenames: config.projectDocFallbackFilenames,
    skillPolicy: { ...config.skills, projectTrust: config.projectTrust },
    sandboxPolicy: sandbox.policy,
    approvalPolicy: approvals.policy,
  };
}
