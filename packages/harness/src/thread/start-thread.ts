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
import type {
  Journal,
  JournalEntry,
  Person,
  RecordedSettings,
  RequestHead,
  ResponseItem,
  StoredJournal,
  ToolSpec,
} from "@unroll/protocol";
import type { SecretMask } from "@unroll/text";
import { type BuiltinToolName, type CallGate, maskStrings, type Tool, type UserShell } from "@unroll/tools";
import type { CompactorOptions } from "../compaction/compaction-need.ts";
import { type Compactor, createCompactor } from "../compaction/compactor.ts";
import { readCompactPrompt } from "../compaction/read-compact-prompt.ts";
import type { ConfigSettings } from "../config/config-settings.ts";
import type { Budget } from "../guard/budget.ts";
import { createRepeatGuard } from "../guard/repeated-calls.ts";
import { createStaleContentGuard } from "../guard/stale-content.ts";
import { createThreadBudget, type ThreadBudget } from "../guard/thread-budget.ts";
import { createClock } from "../host/create-clock.ts";
import type { HostEnvironment } from "../host/host-environment.ts";
import { findUserShell } from "../host/user-shell.ts";
import { joinMcp, type ThreadMcp } from "../mcp/join-mcp.ts";
import { warnOfVariables } from "../mcp/warn-of-variables.ts";
import { type AnyPerson, toPerson } from "../to-person.ts";
import { createSandbox } from "../sandbox/create-sandbox.ts";
import { closeWithParent } from "../sub-agent/close-with-parent.ts";
import { followBudget } from "../sub-agent/follow-budget.ts";
import type { ThreadBounds } from "../sub-agent/thread-bounds.ts";
import { createRefusalGuard } from "../server/refusal-guard.ts";
import { createThreadRequests, type ThreadRequests } from "../server/thread-requests.ts";
import { openThreadServer, type ThreadServer } from "../server/thread-server.ts";
import { explainMasks } from "../tool/explain-masks.ts";
import { openSecretMask } from "../tool/open-secret-mask.ts";
import { openTools, type OpenTools } from "../tool/open-tools.ts";
import type { OpenedThread } from "../prefix/prefix-break.ts";
import { type HeadParts, settleHead } from "./settle-head.ts";
import type { SharedParts } from "./shared-parts.ts";
import { type StandingPromptWatch, watchStandingPrompt } from "./watch-standing-prompt.ts";
import { createThread, type Thread } from "./thread.ts";
import { createThreadFeed, type ThreadFeed } from "./thread-feed.ts";
import { continueSettings } from "../settings/continue-settings.ts";
import { createThreadSettings, type ThreadSettings } from "../settings/thread-settings.ts";
import { toRecordedSettings } from "../settings/recorded-settings.ts";
import type { ListedModel } from "../model/open-model.ts";
import { readServedWindow } from "../window/read-served-window.ts";
import { createThreadWindow, type ThreadWindow } from "../window/thread-window.ts";
import { toPromptContext } from "./to-prompt-context.ts";
import { describeWaiting } from "./waiting-words.ts";

/** What one thread has of its own. */
export interface ThreadOptions {
  /**
   * What it has otherwise than its harness (`{ cwd: "job-7" }`), which was given settings itself then, or none; or a whole config. Absent: the
   * harness's, but for what it has of its `parent`. MCP servers and rules are the harness's in any case.
   */
  readonly config?: ResolvedConfig | ConfigSettings;
  /** Null: nobody is asked in this thread. Absent: the parent's; without one the harness's. */
  readonly person?: AnyPerson | null;
  /** Further tools; they come behind the built-in ones. */
  readonly tools?: readonly Tool[];
  /** Which of the built-in tools the model gets, of those that the config gives it. Absent: all of them. */
  readonly builtins?: readonly BuiltinToolName[];
  /** In place of the base instructions of the model family and of the config. Absent: those. */
  readonly instructions?: string;
  /** Asked before each request, in order, behind the thread's own. */
  readonly guards?: readonly StepGuard[];
  /**
   * What the thread may spend, with the threads that it opens; the limits of the config count within it. Absent: what its
   * parent has, or else only the limits of the config.
   */
  readonly budget?: Budget;
  /**
   * Gives the gate that every call passes; it is handed the thread's own, to ask it before, behind or not at all. It is handed those of the
   * threads, too, that this one is the parent of.
   */
  readonly gate?: (own: CallGate) => CallGate;
  /** Of a new thread: a UUID of version 7 that no thread was kept by. Absent: one of the host's. */
  readonly id?: string;
  /** Keeps the thread out of the harness's store; of one that is gone on with or copied, what is said from now on. */
  readonly ephemeral?: boolean;
  /** Gets all that it takes to go on with the thread, instead of the harness's store. */
  readonly journal?: Journal;
  /**
   * All entries of the journal of a thread that goes on here. Absent: it is a new one.
   */
  readonly entries?: readonly JournalEntry[];
  /**
   * The thread that opens this one, for a sub-agent: it closes this one with itself. This one may at most what that one may at the moment: in
   * the sandbox, by policy, person and gate. Without a `config` of its own it begins in the folder of that one, and has its sandbox and policy.
   */
  readonly parent?: Thread;
  /** Waits for all MCP servers as long as they may take. Absent: for those that are not required, as the config says. */
  readonly waitForMcp?: boolean;
  /**
   * Lets a thread that goes on begin its requests anew, at full price, where its model, its provider or its tools are others
   * now. Absent: it keeps the tools that it had; for the model the person is asked, and without a yes it does not go on.
   */
  readonly allowPrefixBreak?: boolean;
  /** Stops the wait for MCP servers, and a question: an `AbortError` is thrown then. Absent: nothing does. */
  readonly signal?: AbortSignal;
}

/** The same with a config that was settled. */
export interface SettledThreadOptions extends Omit<ThreadOptions, "config"> {
  readonly config?: ResolvedConfig;
  /** Whether nothing was said of it: what the parent may then is what the thread may. Absent: no. */
  readonly followsParent?: boolean;
}

/** A thread that a store keeps. */
export interface KeptThread {
  readonly id: string;
  /** Disposed when the thread is closed, and where it cannot be opened. */
  readonly journal: StoredJournal;
  /** Empty: it is a new one. */
  readonly entries: readonly JournalEntry[];
  /** Whether it is there by now: a new one is with its first turn. */
  readonly isWritten: () => boolean;
  /** What a person is told of it. */
  readonly warnings: readonly string[];
  /** All that is written of it by now; empty: nothing is yet. */
  readonly readEntries: () => Promise<readonly JournalEntry[]>;
}

/** A thread that is being opened: what its parts are made of. */
interface Opening {
  readonly id: string;
  readonly model: ListedModel;
  readonly server: ThreadServer;
  readonly shared: SharedParts;
  readonly options: SettledThreadOptions;
  readonly shell: UserShell;
  readonly settings: ThreadSettings;
  readonly state: ThreadState;
  readonly feed: ThreadFeed;
  /** Null: nothing is masked. */
  readonly secrets: SecretMask | null;
  /** Puts the program's gates around the thread's own, those of its opener outermost. */
  readonly wrapGate: ThreadBounds["wrapGate"];
}

/** Renders the prompt of a new thread, once and for all, and puts its parts together. */
export async function startThread(
  shared: SharedParts,
  ownOptions: SettledThreadOptions,
  kept: KeptThread | null,
): Promise<Thread> {
  await using stack = new AsyncDisposableStack();
  if (kept !== null) stack.use(kept.journal);
  const { newId } = shared.host;
  const { options, opened, warnings } = continueOptions(shared, ownOptions, kept);
  const id = kept?.id ?? opened?.threadId ?? options.id ?? newId();
  const opening = await beginOpening(shared, options, id);
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
    bounds: { settings, wrapGate: opening.wrapGate },
    requests,
    model: opening.model,
    tools: secrets ? explainMasks(runtime, secrets, state.transcript) : runtime,
    sessions,
    tellEnds,
    guards: listGuards(opening, { budget, requests, functions, window, compactor }),
    budget,
    compactor,
    window,
    isKept: kept?.isWritten ?? (() => options.journal !== undefined),
    readEntries: kept?.readEntries ?? (() => Promise.resolve([])),
    takeNews: () => [...mcp.takeAnnouncements({ hasGateway }), ...takeChanges()],
    mcpServers: () => shared.mcpServers(),
    standing,
    files,
    newId,
    close: () => held.disposeAsync(),
  });
  if (options.parent) closeWithParent(thread, options.parent);
  return thread;
}

function toThreadContext({ shared, settings, shell, options }: Opening, tools: readonly ToolSpec[]): PromptContext {
  const { homeDirectory } = shared.host;
  return toPromptContext(settings, {
    homeDirectory,
    shellName: shell.name,
    instructions: options.instructions ?? null,
    tools,
  });
}

interface ContinuedOptions {
  readonly options: SettledThreadOptions & { readonly config: ResolvedConfig };
  /** How the thread was opened; null: it is a new one. */
  readonly opened: OpenedThread | null;
  readonly warnings: readonly string[];
}

/** The options with what the thread was and sent before. Throws what `continueSettings` throws. */
function continueOptions(shared: SharedParts, own: SettledThreadOptions, kept: KeptThread | null): ContinuedOptions {
  const entries = kept?.entries ?? own.entries ?? [];
  const { config, warnings } = continueSettings(own.config ?? shared.config, entries);
  return {
    options: { ...own, config, ...(kept !== null && { journal: kept.journal, entries }) },
    opened: findOpened(entries),
    warnings: [...warnings, ...(kept?.warnings ?? [])],
  };
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
  { config: own = shared.config, entries }: SettledThreadOptions,
): Promise<Pick<Opening, "model" | "server"> & { readonly config: ResolvedConfig }> {
  const { codexHome, model, provider } = own;
  const { client, baseUrl } = await shared.models.find(own);
  const served = { providerId: provider.id, baseUrl, model };
  const server = await openThreadServer({ codexHome, served, provider, opened: findOpened(entries) });
  return { model: client, server, config: restrictConfig(own, server.takes) };
}

function findOpened(entries: readonly JournalEntry[] = []): OpenedThread | null {
  return entries.findLast((entry) => entry.type === "thread.opened") ?? null;
}

function openRequests({ id: threadId, settings, server, state }: Opening, head: RequestHead): ThreadRequests {
  const { model, provider } = settings.config;
  const opened = { type: "thread.opened", threadId, model, provider: provider.id } as const;
  const onHead = (left: RequestHead): void => state.journal.record({ ...opened, head: left, ...server.form });
  return createThreadRequests({ threadId, head, omitted: () => server.omitted, onHead });
}

/** What needs nothing but the config, the machine and what is known of the server. */
async function beginOpening(shared: SharedParts, options: SettledThreadOptions, id: string): Promise<Opening> {
  const { host, backends, logins } = shared;
  const { parent } = options;
  const { config, model, server } = await findModel(shared, options); // what it learns is masked from the start
  const shell = findUserShell(host, config.allowLoginShell);
  const secrets = openSecretMask(config, shared);
  const feed = maskTold(createThreadFeed(id, host), secrets);
  feed.tell({ type: "thread.started", thread_id: id });
  const warn = (message: string): void => feed.tell({ type: "warning", message });
  const state = createState(server, options, host);
  const settings = createThreadSettings({
    config,
    person: findPerson(options, shared),
    shellName: shell.name,
    findDay: () => host.localDay(host.now()),
    lastDay: findLastDay(options.entries ?? [], host),
    notes: state.notes,
    toldElsewhere: findToldElsewhere(options.entries ?? []),
    takes: () => server.takes,
    openSandbox: (current) => createSandbox(current, host, { backends, logins, warn }),
    opener: parent ? { settings: parent.bounds.settings, isFollowed: options.followsParent === true } : null,
    warn,
  });
  const wrapGate = (own: CallGate): CallGate => {
    const wrapped = options.gate?.(own) ?? own;
    return parent?.bounds.wrapGate(wrapped) ?? wrapped;
  };
  return { id, model, server, shared, options, shell, settings, state, feed, secrets, wrapGate };
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

function findPerson({ person, parent }: SettledThreadOptions, shared: SharedParts): Person | null {
  if (person === undefined) return parent ? parent.bounds.settings.person : shared.person;
  return person === null ? null : toPerson(person);
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
  { id, server, settings, state, feed, options }: Opening,
  prompt: InitialPrompt,
): Omit<HeadParts, "opened" | "specs" | "mcpListed"> {
  return {
    threadId: id,
    config: settings.config,
    server,
    state,
    prompt,
    person: settings.person,
    allowsBreak: options.allowPrefixBreak ?? false,
    signal: options.signal ?? new AbortController().signal,
    tell: (event) => feed.tell(event),
  };
}

function openBudget({ shared, options, settings, state }: Opening): ThreadBudget {
  const { budget, model, provider, serviceTier } = settings.config;
  const clock = createClock(shared.host);
  const { parent } = options;
  return createThreadBudget({
    settings: budget,
    // whatever turn the opener is in then
    parent: options.budget ?? (parent ? followBudget(() => parent.budget, clock) : null),
    clock,
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
  { id: threadId, state, server, settings, options }: Opening,
  { budget, requests, functions, window, compactor }: GuardParts,
): readonly StepGuard[] {
  const { model, provider, repeatedCalls } = settings.config;
  const stale = createStaleContentGuard({ keepsIds: provider.azure });
  const refusals = createRefusalGuard({ threadId, model, state, server, requests, functions });
  const others = [...(options.guards ?? []), window.guard, compactor.guard];
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
  const { id, shared, options, shell, settings, state, feed, secrets, wrapGate } = opening;
  return openTools({
    threadId: id,
    host: shared.host,
    machine: shared.machine,
    shell,
    settings,
    notes: state.notes,
    journal: state.journal,
    feed,
    book: shared.book,
    mcpServers: shared.config.mcpServers,
    wrapGate,
    builtins: options.builtins ?? null,
    head,
    extra: [...(options.tools ?? []), ...mcp.tools],
    unlisted: mcp,
    secrets,
  });
}

function createState(
  { itemForm: form }: ThreadServer,
  { journal, entries }: SettledThreadOptions,
  clock: Pick<Clock, "now">,
): ThreadState {
  return createThreadState({
    clock,
    form,
    ...(journal && { journal }),
    ...(entries && { entries }),
  });
}

function joinThreadMcp({ id, shared, options, settings, state, feed, secrets }: Opening): Promise<ThreadMcp> {
  const { mcpStartupGraceMs: graceMs, mcpToolSchemaTokens: maxSchemaTokens } = settings.config;
  const { waitForMcp = false, signal = new AbortController().signal } = options;
  return joinMcp(shared.mcp, {
    wait: { graceMs, waitForAll: waitForMcp, signal },
    maxSchemaTokens,
    person: () => (settings.approvals.asksOfMcp ? settings.person : null),
    threadId: id,
    tell: (event) => feed.tell(event),
    notes: state.notes,
    mask: secrets ? secrets.mask : (text) => text,
  });
}
