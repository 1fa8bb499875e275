import { restrictConfig } from "@unroll/config";
import { createThreadState, type ThreadState } from "@unroll/core";
import type { Clock } from "@unroll/flow";
import { type InitialPrompt, type LocalDay, type PromptContext, readProjectContext } from "@unroll/prompt";
import type { JournalEntry, RecordedSettings, ResponseItem, ThreadEvent } from "@unroll/protocol";
import type { SecretMask } from "@unroll/text";
import { maskStrings } from "@unroll/tools";
import { createThreadBudget, type ThreadBudget } from "../guard/thread-budget.ts";
import { createClock } from "../host/create-clock.ts";
import type { Host } from "../host/host.ts";
import { findUserShell } from "../host/user-shell.ts";
import { joinMcp, type ThreadMcp } from "../mcp/join-mcp.ts";
import { warnOfVariables } from "../mcp/mcp-context.ts";
import { createSandbox } from "../sandbox/create-sandbox.ts";
import { closeWithParent } from "../sub-agent/close-with-parent.ts";
import type { ThreadServer } from "../server/thread-server.ts";
import { openSecretMask } from "../auth/open-secret-mask.ts";
import { openTools, type OpenTools } from "../tool/open-tools.ts";
import { changeModel, findModel, listModelWarnings, toPriced } from "./change-model.ts";
import { type AnsweringModel, openServing, type ThreadRoom, toThreadContext } from "./serving.ts";
import type { SharedParts } from "./shared-parts.ts";
import { type StandingPromptWatch, watchStandingPrompt } from "./watch-project-context.ts";
import { createThread, type Thread } from "./thread.ts";
import { toKeptEntry } from "./to-kept-entry.ts";
import { createThreadFeed, type ThreadFeed } from "./thread-feed.ts";
import { createThreadSettings } from "../settings/thread-settings.ts";
import { toRecordedSettings } from "../settings/continue-settings.ts";
import { openPromptFiles } from "./gate-files.ts";
import { openPast } from "./open-past.ts";
import { type SettledThread, settleThread, type ThreadRequest } from "./settle-thread.ts";
import { describeWaiting } from "./waiting-words.ts";

/** A thread that is being opened: what its parts are made of. */
interface Opening extends Omit<ThreadRoom, "own" | "tools" | "mcp" | "budget">, AnsweringModel {
  readonly own: SettledThread;
}

/** Renders the prompt of a new thread, once and for all, and puts its parts together. */
export async function startThread(shared: SharedParts, request: ThreadRequest): Promise<Thread> {
  await using stack = new AsyncDisposableStack();
  const past = await openPast(shared, request.origin, { ...request.options, config: request.config });
  if (past.held !== null) stack.use(past.held);
  const own = settleThread(shared, request, past);
  const { id, opened, warnings } = own;
  const opening = await beginOpening(shared, own);
  const { settings, state, feed } = opening;
  stack.use(settings);
  const budget = openBudget(opening);
  const mcp = await joinThreadMcp(opening);
  stack.defer(() => mcp.close());
  const tools = stack.use(openThreadTools(opening, mcp));
  const room: ThreadRoom = { ...opening, tools, mcp, budget };
  let serving = await openServing(room, opening, {
    opened,
    isSent: true,
    allowsBreak: own.allowsBreak,
    signal: own.signal,
    listWarnings: (prompt) => [...warnings, ...listWarnings(opening, prompt)],
  });
  stack.defer(() => serving.window[Symbol.asyncDispose]());
  const standing = watchStanding(opening, serving.prompt, () => toThreadContext(room, serving.tools.specs));
  const takeChanges = (): readonly ResponseItem[] => [...settings.takeChanges(), ...standing.takeChanges()];
  if ((opened?.head ?? null) === null) takeChanges(); // its first prompt tells all of it
  state.journal.record({ type: "settings", settings: toRecordedSettings(settings.config) });
  const held = stack.move();
  const thread = createThread({
    id,
    state,
    feed,
    settings,
    bounds: { settings, wrapGate: own.wrapGate, wrapRunner: own.wrapRunner, afterCall: own.afterCall },
    serving: () => serving,
    async changeModel(config, choice) {
      const before = serving;
      serving = await changeModel(room, before, { ...choice, config });
      await before.window[Symbol.asyncDispose]();
    },
    isSent: own.entries.length > 0,
    sessions: tools.sessions,
    tellEnds: tools.tellEnds,
    budget,
    isKept: own.isKept,
    readEntries: own.readEntries,
    takeNews: () => [...mcp.takeAnnouncements(serving), ...takeChanges()],
    returnToNotes: () => mcp.returnToNotes(),
    mcpServers: () => shared.mcpServers(),
    standing,
    files: openPromptFiles(shared, settings),
    newId: shared.host.newId,
    async close() {
      await using _owner = request.owner; // in any case, and last
      await held.disposeAsync();
    },
  });
  own.onOpened(thread);
  if (own.parent !== null) closeWithParent(thread, own.parent);
  return thread;
}

/** What needs nothing but the config, the machine and what is known of the server. */
async function beginOpening(shared: SharedParts, own: SettledThread): Promise<Opening> {
  const { host, backends, logins } = shared;
  const { id, entries, parent, followsParent } = own;
  const { model, server } = await findModel(shared, own.config, own.opened); // what it learns is masked from the start
  const config = restrictConfig(own.config, server.takes);
  const shell = findUserShell(host, config.allowLoginShell);
  const secrets = openSecretMask(config, shared);
  const state = createState(server, own, host);
  const keep = (event: ThreadEvent): void => {
    const entry = toKeptEntry(event);
    if (entry !== null) state.journal.record(entry);
  };
  const feed = maskTold(createThreadFeed({ threadId: id, clock: host, keep }), secrets);
  feed.tell({ type: "thread.started", thread_id: id });
  const warn = (message: string): void => feed.tell({ type: "warning", message });
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

function findLastDay(entries: readonly JournalEntry[], host: Host): LocalDay | null {
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
    read: () =>
      shared.standing(settings.config, () => readProjectContext(context(), openPromptFiles(shared, settings))),
    cwd: () => settings.config.cwd,
    notes: state.notes,
    mask: (items) => (secrets ? maskStrings(items, secrets.mask) : items),
  });
}

function openBudget({ shared, own, settings, state }: Opening): ThreadBudget {
  return createThreadBudget({
    settings: settings.config.budget,
    parent: own.budget,
    clock: createClock(shared.host),
    notes: state.notes,
    ...toPriced(shared, settings.config),
  });
}

function listWarnings({ settings, shared, state }: Opening, prompt: InitialPrompt): readonly string[] {
  const { config, sandbox } = settings;
  const { items } = state.inbox;
  return [
    // a thread that is there has another effort
    ...config.warnings.filter(({ code }) => code !== "effort_refused").map(({ message }) => message),
    ...listModelWarnings(shared, config),
    ...sandbox.warnings,
    ...prompt.warnings,
    ...warnOfVariables(shared.config, shared.host),
    ...(items.length === 0 ? [] : [describeWaiting(items)]),
  ];
}

function openThreadTools(opening: Opening, mcp: ThreadMcp): OpenTools {
  const { own, shared, shell, settings, state, feed, secrets } = opening;
  return openTools({
    threadId: own.id,
    host: shared.host,
    machine: shared.machine,
    shell,
    settings,
    notes: state.notes,
    feed,
    book: shared.book,
    mcpServers: shared.config.mcpServers,
    wrapGate: own.wrapGate,
    wrapRunner: own.wrapRunner,
    afterCall: own.afterCall,
    builtins: own.builtins,
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
