import { describeNoReasoning, describeShutdown, type ResolvedConfig, restrictConfig } from "@unroll/config";
import { createThreadState, type StepGuard, type ThreadState } from "@unroll/core";
import type { Clock } from "@unroll/flow";
import { lowerTools } from "@unroll/item-form";
import {
  type InitialPrompt,
  type LocalDay,
  type PromptContext,
  readStandingPrompt,
  renderInitialPrompt,
} from "@unroll/prompt";
import type { JournalEntry, RecordedSettings, RequestHead, ResponseItem, ToolSpec } from "@unroll/protocol";
import type { SecretMask } from "@unroll/text";
import { maskStrings, type UserShell } from "@unroll/tools";
import type { CompactorOptions } from "../compaction/compaction-need.ts";
import { type Compactor, createCompactor } from "../compaction/compactor.ts";
import { readCompactPrompt } from "../compaction/read-compact-prompt.ts";
import { createRepeatGuard } from "../guard/repeated-calls.ts";
import { createStaleContentGuard } from "../guard/stale-content.ts";
import { createThreadBudget, type ThreadBudget } from "../guard/thread-budget.ts";
import { createClock } from "../host/create-clock.ts";
import type { HostEnvironment } from "../host/host-environment.ts";
import { findUserShell } from "../host/user-shell.ts";
import { joinMcp, type ThreadMcp } from "../mcp/join-mcp.ts";
import { warnOfVariables } from "../mcp/warn-of-variables.ts";
import { createSandbox } from "../sandbox/create-sandbox.ts";
import { closeWithParent } from "../sub-agent/close-with-parent.ts";
import { createRefusalGuard } from "../server/refusal-guard.ts";
import { createThreadRequests, type ThreadRequests } from "../server/thread-requests.ts";
import { openThreadServer, type ThreadServer } from "../server/thread-server.ts";
import { explainMasks } from "../tool/explain-masks.ts";
import { openSecretMask } from "../tool/open-secret-mask.ts";
import { openTools, type OpenTools } from "../tool/open-tools.ts";
import { type HeadParts, settleHead } from "./settle-head.ts";
import type { SharedParts } from "./shared-parts.ts";
import { type StandingPromptWatch, watchStandingPrompt } from "./watch-standing-prompt.ts";
import { createThread, type Thread } from "./thread.ts";
import { createThreadFeed, type ThreadFeed } from "./thread-feed.ts";
import { createThreadSettings, type ThreadSettings } from "../settings/thread-settings.ts";
import { toRecordedSettings } from "../settings/recorded-settings.ts";
import type { ListedModel } from "../model/open-model.ts";
import { readServedWindow } from "../window/read-served-window.ts";
import { createThreadWindow, type ThreadWindow } from "../window/thread-window.ts";
import { openPast } from "./open-past.ts";
import { type SettledThread, settleThread, type ThreadRequest } from "./settle-thread.ts";
import { toPromptContext } from "./to-prompt-context.ts";
import { describeWaiting } from "./waiting-words.ts";

/** A thread that is being opened: what its parts are made of. */
interface Opening {
  readonly model: ListedModel;
  readonly server: ThreadServer;
  readonly shared: SharedParts;
  readonly own: SettledThread;
  readonly shell: UserShell;
  readonly settings: ThreadSettings;
  readonly state: ThreadState;
  readonly feed: ThreadFeed;
  /** Null: nothing is masked. */
  readonly secrets: SecretMask | null;
}

/** Renders the prompt of a new thread, once and for all, and puts its parts together. */
export async function startThread(shared: SharedParts, request: ThreadRequest): Promise<Thread> {
  await using stack = new AsyncDisposableStack();
  const past = await openPast(shared, request.origin, { ...request.options, config: request.config });
  if (past.held !== null) stack.use(past.held);
  const own = settleThread(shared, request, past);
  const { id, opened, warnings } = own;
  const opening = await beginOpening(shared, own);
  const { settings, state, feed, secrets } = opening;
  const files = shared.promptFiles;
  stack.use(settings);
  const budget = openBudget(opening);
  const mcp = await joinThreadMcp(opening);
  stack.defer(() => mcp.close());
  const { runtime, functions, sessions, tellEnds } = stack.use(openThreadTools(opening, mcp, opened?.head ?? null));
  const context = (): PromptContext => toThreadContext(opening, runtime.specs);
  const prompt = maskPrompt(await renderInitialPrompt(context(), files), secrets);
  const compactPrompt = await readCompactPrompt(settings.config.compaction, files);
  for (const message of [...warnings, ...listWarnings(opening, prompt), ...compactPrompt.warnings])
    feed.tell({ type: "warning", message });
  const specs = lowerTools(runtime.specs, opening.server.itemForm);
  const listed = { opened, specs, mcpListed: mcp.listed };
  const head = await settleHead({ ...toHeadParts(opening, prompt), ...listed });
  const hasGateway = head.tools.some(({ name }) => name === "mcp_call");
  const standing = watchStanding(opening, prompt, context);
  const takeChanges = (): readonly ResponseItem[] => [...settings.takeChanges(), ...standing.takeChanges()];
  if ((opened?.head ?? null) === null) takeChanges(); // its first prompt tells all of it
  state.journal.record({ type: "settings", settings: toRecordedSettings(settings.config) });
  const window = stack.use(openWindow(opening, head.bytes.length));
  const compactor = openCompactor(opening, window, { headBytes: head.bytes.length, prompt: compactPrompt.text });
  const requests = openRequests(opening, head);
  const held = stack.move();
  const thread = createThread({
    id,
    state,
    feed,
    settings,
    bounds: { settings, wrapGate: own.wrapGate, wrapRunner: own.wrapRunner, afterCall: own.afterCall },
    requests,
    model: opening.model,
    tools: secrets ? explainMasks(runtime, secrets, state.transcript) : runtime,
    sessions,
    tellEnds,
    guards: listGuards(opening, { budget, requests, functions, window, compactor }),
    budget,
    compactor,
    window,
    isKept: own.isKept,
    readEntries: own.readEntries,
    takeNews: () => [...mcp.takeAnnouncements({ hasGateway }), ...takeChanges()],
    mcpServers: () => shared.mcpServers(),
    standing,
    files,
    newId: shared.host.newId,
    async close() {
      await held.disposeAsync();
      await request.owner?.[Symbol.asyncDispose]();
    },
  });
  own.onOpened(thread);
  if (own.parent !== null) closeWithParent(thread, own.parent);
  return thread;
}

function toThreadContext({ shared, settings, shell, own }: Opening, tools: readonly ToolSpec[]): PromptContext {
  const { homeDirectory } = shared.host;
  return toPromptContext(settings, {
    homeDirectory,
    shellName: shell.name,
    instructions: own.instructions,
    tools,
  });
}

function openCompactor(
  { settings, state }: Opening,
  window: ThreadWindow,
  own: Pick<CompactorOptions, "headBytes" | "prompt">,
): Compactor {
  return createCompactor({
    ...own,
    config: () => settings.config,
    notes: state.notes,
    learnWindow: (servedWindow) => window.learn(servedWindow),
    readsAll: () => window.readsAll(),
  });
}

function openWindow({ shared, settings, feed, model }: Opening, headBytes: number): ThreadWindow {
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

/** The client of the thread's model, what its server takes, and the config without what it does not take. */
async function findModel(
  shared: SharedParts,
  { config, opened }: SettledThread,
): Promise<Pick<Opening, "model" | "server"> & { readonly config: ResolvedConfig }> {
  const { codexHome, model, provider } = config;
  const { client, baseUrl } = await shared.models.find(config);
  const served = { providerId: provider.id, baseUrl, model };
  const server = await openThreadServer({ codexHome, served, provider, opened });
  return { model: client, server, config: restrictConfig(config, server.takes) };
}

function openRequests({ own: { id: threadId }, settings, server, state }: Opening, head: RequestHead): ThreadRequests {
  const { model, provider } = settings.config;
  const opened = { type: "thread.opened", threadId, model, provider: provider.id } as const;
  const onHead = (left: RequestHead): void => state.journal.record({ ...opened, head: left, ...server.form });
  return createThreadRequests({ threadId, head, omitted: () => server.omitted, onHead });
}

/** What needs nothing but the config, the machine and what is known of the server. */
async function beginOpening(shared: SharedParts, own: SettledThread): Promise<Opening> {
  const { host, backends, logins } = shared;
  const { id, entries, parent, followsParent } = own;
  const { config, model, server } = await findModel(shared, own); // what it learns is masked from the start
  const shell = findUserShell(host, config.allowLoginShell);
  const secrets = openSecretMask(config, shared);
  const feed = maskTold(createThreadFeed(id, host), secrets);
  feed.tell({ type: "thread.started", thread_id: id });
  const warn = (message: string): void => feed.tell({ type: "warning", message });
  const state = createState(server, own, host);
  const settings = createThreadSettings({
    config,
    person: own.person,
    shellName: shell.name,
    findDay: () => host.localDay(host.now()),
    lastDay: findLastDay(entries, host),
    notes: state.notes,
    toldElsewhere: findToldElsewhere(entries),
    takes: () => server.takes,
    openSandbox: (current) => createSandbox(current, host, { backends, logins, warn }),
    opener: parent && { settings: parent.bounds.settings, isFollowed: followsParent },
    warn,
  });
  return { model, server, shared, own, shell, settings, state, feed, secrets };
}

function findLastDay(entries: readonly JournalEntry[], host: HostEnvironment): LocalDay | null {
  const last = entries.findLast((entry) => entry.type === "request")?.request.sentAt ?? null;
  return last === null ? null : host.localDay(last);
}

/** The settings of a turn behind our last one. */
function findToldElsewhere(entries: readonly JournalEntry[]): RecordedSettings | null {
  const at = entries.findLastIndex(({ type }) => type === "turn.started" || type === "turn.ended");
  if (entries[at]?.type !== "turn.ended") return null;
  return entries.slice(at).findLast((entry) => entry.type === "settings")?.settings ?? null;
}

/** What turns tell is masked where it comes from: the tool runtime. */
function maskTold(feed: ThreadFeed, secrets: SecretMask | null): ThreadFeed {
  return secrets ? { ...feed, tell: (event) => feed.tell(maskStrings(event, secrets.mask)) } : feed;
}

function watchStanding(
  { shared, settings, state, secrets }: Opening,
  first: InitialPrompt,
  context: () => PromptContext,
): StandingPromptWatch {
  return watchStandingPrompt({
    first,
    // all else that it is read by is the same in all threads of a harness
    read: () => shared.standing(settings.config, () => readStandingPrompt(context(), shared.promptFiles)),
    cwd: () => settings.config.cwd,
    notes: state.notes,
    mask: (items) => (secrets ? maskStrings(items, secrets.mask) : items),
  });
}

function toHeadParts(
  { own, server, settings, state, feed }: Opening,
  prompt: InitialPrompt,
): Omit<HeadParts, "opened" | "specs" | "mcpListed"> {
  return {
    threadId: own.id,
    config: settings.config,
    server,
    state,
    prompt,
    person: settings.person,
    allowsBreak: own.allowsBreak,
    signal: own.signal,
    tell: (event) => feed.tell(event),
  };
}

function openBudget({ shared, own, settings, state }: Opening): ThreadBudget {
  const { budget, model, provider, serviceTier } = settings.config;
  return createThreadBudget({
    settings: budget,
    parent: own.budget,
    clock: createClock(shared.host),
    notes: state.notes,
    model,
    price: serviceTier === null ? shared.priceOf(model, provider.id) : null, // lists tell the ordinary tier's
  });
}

interface GuardParts {
  readonly budget: ThreadBudget;
  readonly requests: ThreadRequests;
  readonly functions: OpenTools["functions"];
  readonly window: ThreadWindow;
  readonly compactor: Compactor;
}

/** A budget that is used up saves what the others would cost; and what they cost may use it up. */
function listGuards(
  { own: { id: threadId, guards }, state, server, settings }: Opening,
  { budget, requests, functions, window, compactor }: GuardParts,
): readonly StepGuard[] {
  const { model, provider, repeatedCalls } = settings.config;
  const stale = createStaleContentGuard({ keepsIds: provider.azure });
  const refusals = createRefusalGuard({ threadId, model, state, server, requests, functions });
  const others = [...guards, window.guard, compactor.guard];
  return [budget.guard, createRepeatGuard(repeatedCalls), stale, refusals, ...others, budget.guard];
}

/** The project's files may hold a secret, too. */
function maskPrompt(prompt: InitialPrompt, secrets: SecretMask | null): InitialPrompt {
  return secrets ? { ...prompt, items: maskStrings(prompt.items, secrets.mask) } : prompt;
}

function listWarnings({ settings, shared, state }: Opening, prompt: InitialPrompt): readonly string[] {
  const { config, sandbox } = settings;
  const ofModel = [describeShutdown(config, shared.host.now()), describeNoReasoning(config)];
  const { items } = state.inbox;
  return [
    // a thread that is there has another effort
    ...config.warnings.filter(({ code }) => code !== "effort_refused").map(({ message }) => message),
    ...ofModel.filter((message) => message !== null),
    ...sandbox.warnings,
    ...prompt.warnings,
    ...warnOfVariables(shared.config, shared.host),
    ...(items.length === 0 ? [] : [describeWaiting(items)]),
  ];
}

function openThreadTools(opening: Opening, mcp: ThreadMcp, head: RequestHead | null): OpenTools {
  const { own, shared, shell, settings, state, feed, secrets } = opening;
  return openTools({
    threadId: own.id,
    host: shared.host,
    machine: shared.machine,
    shell,
    settings,
    notes: state.notes,
    journal: state.journal,
    feed,
    book: shared.book,
    mcpServers: shared.config.mcpServers,
    wrapGate: own.wrapGate,
    wrapRunner: own.wrapRunner,
    afterCall: own.afterCall,
    builtins: own.builtins,
    head,
    extra: [...own.tools, ...mcp.tools],
    unlisted: mcp,
    secrets,
  });
}

function createState(
  { itemForm: form }: ThreadServer,
  { journal, entries }: SettledThread,
  clock: Pick<Clock, "now">,
): ThreadState {
  return createThreadState({
    clock,
    form,
    entries,
    ...(journal && { journal }),
  });
}

function joinThreadMcp({ own, shared, settings, state, feed, secrets }: Opening): Promise<ThreadMcp> {
  const { mcpStartupGraceMs: graceMs, mcpToolSchemaTokens: maxSchemaTokens } = settings.config;
  return joinMcp(shared.mcp, {
    wait: { graceMs, waitForAll: own.waitForMcp, signal: own.signal },
    maxSchemaTokens,
    person: () => (settings.approvals.asksOfMcp ? settings.person : null),
    threadId: own.id,
    tell: (event) => feed.tell(event),
    notes: state.notes,
    mask: secrets ? secrets.mask : (text) => text,
  });
}
