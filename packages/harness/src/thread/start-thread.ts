import { type ResolvedConfig, restrictConfig } from "@unroll/config";
import { createThreadState, type ThreadState } from "@unroll/core";
import { findRoles, type InitialPrompt, type LocalDay } from "@unroll/prompt";
import type { JournalEntry, Person, RecordedSettings, ResponseItem, ThreadEvent } from "@unroll/protocol";
import { maskStrings } from "@unroll/tools";
import { gatePromptFiles } from "@unroll/prompt/node";
import type { SharedParts } from "../base/shared-parts.ts";
import type { ThreadBase } from "../base/thread-base.ts";
import { createThreadFeed } from "../base/thread-feed.ts";
import { findOpened } from "../cache-break.ts";
import type { AgentPool } from "../agents/agent-pool.ts";
import { type FoundRoles, joinRoles } from "../agents/agent-roles.ts";
import { renderCut, renderReport } from "../agents/agent-words.ts";
import type { RestoredAgent } from "../agents/restore-agents.ts";
import { HarnessError } from "../harness-error.ts";
import { createFallbackGuard } from "../guard/model-fallback.ts";
import { createThreadBudget, type ThreadBudget } from "../guard/thread-budget.ts";
import { createClock } from "../host/create-clock.ts";
import type { Host } from "../host/host.ts";
import { pickUserShell } from "../host/user-shell.ts";
import { joinMcp } from "../mcp/join-mcp.ts";
import { createThreadHosts } from "../sandbox/thread-hosts.ts";
import { createSandbox } from "../sandbox/create-sandbox.ts";
import { findReport } from "./tell-sandbox.ts";
import type { ThreadServer } from "../server/thread-server.ts";
import { findAccount, isOwnRecord, toRecordedSettings } from "../settings/continue-settings.ts";
import { createThreadSettings } from "../settings/thread-settings.ts";
import { openSecretMask } from "../auth/open-secret-mask.ts";
import { canStart, openAgentTools } from "../tool/agent-tools.ts";
import { openTools } from "../tool/open-tools.ts";
import { changeModel, findModel, listModelWarnings, type ModelChoice, toPriced } from "./change-model.ts";
import { openAgents, readRestored } from "./open-agents.ts";
import { openPast } from "./open-past.ts";
import { openServing, type ThreadRoom, toPromptContext, toSkillContext } from "./serving.ts";
import { type SettledThread, settleThread, type ThreadRequest } from "./settle-thread.ts";
import { createThread, type Thread } from "./thread.ts";
import { toKeptEntry } from "./to-kept-entry.ts";
import { describeWaiting } from "./waiting-words.ts";
import { watchProjectContext } from "./watch-project-context.ts";
import { warnOfVariables } from "../mcp/mcp-context.ts";
import { toPromptGate } from "../sandbox/read-gate.ts";

/** Renders the prompt of a new thread, once and for all, and puts its parts together. */
export async function startThread(shared: SharedParts, request: ThreadRequest): Promise<Thread> {
  await using stack = new AsyncDisposableStack();
  const past = await openPast(shared, request.origin, { ...request.options, config: request.config });
  if (past.held !== null) stack.use(past.held);
  const config = await loadOwnModel(request, past.entries);
  const own = settleThread(shared, { ...request, config }, past);
  const answering = await findModel(shared, own.config, own.opened); // what it learns is masked from the start
  const restored = await readRestored(shared, own.config, past);
  const base = createBase(shared, own, { server: answering.server, restored, rest: () => budget.rest() });
  const { settings, state, feed } = base;
  stack.use(settings);
  const sandbox = await findReport(base);
  feed.tell({ type: "thread.started", thread_id: own.id, ...(sandbox && { sandbox }) });
  const budget = openThreadBudget(base);
  const mcp = await joinMcp(base);
  stack.defer(() => mcp.close());
  let opening: Thread | null = null;
  const readRoles = createRoleReader(base);
  const agentTools = openAgentTools(base, () => agents, canStart(base) ? await readRoles() : []);
  const agents: AgentPool<Thread> = openAgents({
    base,
    own,
    request,
    restored,
    budget,
    readRoles,
    start: startThread,
    names: () => agentTools.names(),
    thread: () => requireOpen(opening),
  });
  const tools = stack.use(openTools(base, mcp, agentTools));
  const { opened, allowsBreak, signal } = own;
  const fallback = createFallbackGuard({
    settings,
    state,
    allowsBreak,
    changeModel: (choice) => switchModel({ ...choice, isSent: true }),
  });
  const room: ThreadRoom = { ...base, tools, mcp, budget, fallback, agents };
  const listAll = (prompt: InitialPrompt): readonly string[] => [...own.warnings, ...listWarnings(base, prompt)];
  const accountBefore = findAccount(own.entries);
  const options = { opened, accountBefore, fallback: null, isSent: true, allowsBreak, signal, listWarnings: listAll };
  let serving = await openServing(room, answering, options);
  stack.defer(() => serving.window[Symbol.asyncDispose]());
  const standing = watchProjectContext(base, serving.prompt, () => toPromptContext(base, serving.tools.specs));
  const takeChanges = (): readonly ResponseItem[] => [...settings.takeChanges(), ...standing.takeChanges()];
  if ((opened?.head ?? null) === null) takeChanges(); // its first prompt tells all of it
  state.journal.record({ type: "settings", settings: toRecordedSettings(settings.config, serving.account) });
  noteParent(own, state);
  let leaving: ResolvedConfig | null = null;
  async function switchModel(choice: ModelChoice): Promise<void> {
    const before = serving;
    leaving = settings.config;
    serving = await changeModel(room, before, choice).finally(() => (leaving = null));
    await before.window[Symbol.asyncDispose]();
  }
  const held = stack.move();
  const thread = createThread({
    ...room,
    serving: () => serving,
    configInForce: () => leaving ?? settings.config,
    changeModel: (config, choice) => switchModel({ ...choice, config }),
    takePending: () => [...mcp.takeAnnouncements(serving), ...takeChanges(), ...agents.takeReports()],
    standing,
    agents,
    async close() {
      await using _owner = request.owner; // in any case, and last
      await held.disposeAsync();
    },
  });
  opening = thread;
  own.onOpened(thread);
  // the thread of a sub-agent closes when its parent does, unless it closed before
  if (own.parent !== null) thread.onClose(own.parent.onClose(async () => thread[Symbol.asyncDispose]()));
  return thread;
}

/** The config of the request, with the model of the thread's last request if the caller loads it. */
async function loadOwnModel(
  { config, options }: ThreadRequest,
  entries: readonly JournalEntry[],
): Promise<ResolvedConfig> {
  const opened = findOpened(entries);
  if (opened === null || options.loadModel === undefined) return config;
  const { model, provider } = opened;
  if (model === config.model && provider === config.provider.id) return config;
  return options.loadModel({ model, provider }, config);
}

interface BaseFacts {
  readonly server: ThreadServer;
  readonly restored: readonly RestoredAgent[];
  /** As of `ThreadBudget`. */
  readonly rest: ThreadBudget["rest"];
}

/** The parts that only need the config, the machine and known facts about the server. `rest` is called later. */
function createBase(shared: SharedParts, own: SettledThread, { server, restored, rest }: BaseFacts): ThreadBase {
  const { host, backends, logins } = shared;
  const { id, entries, journal, parent } = own;
  const config = restrictConfig(own.config, server.takes);
  const shell = pickUserShell(host, config.allowLoginShell);
  const secrets = openSecretMask(config, shared);
  const cutOutputs = toCutOutputs(restored);
  const state = createThreadState({
    clock: host,
    form: server.itemForm,
    entries,
    cutOutputs,
    ...(journal && { journal }),
  });
  const keep = (event: ThreadEvent): void => {
    const entry = toKeptEntry(event);
    if (entry !== null) state.journal.record(entry);
  };
  const plain = createThreadFeed({ threadId: id, clock: host, keep });
  // what turns tell is masked where it comes from: the tool runtime
  const feed = secrets
    ? { ...plain, tell: (event: ThreadEvent) => plain.tell(maskStrings(event, secrets.mask)) }
    : plain;
  const warn = (message: string): void => feed.tell({ type: "warning", message });
  const hosts = createThreadHosts({
    ...shared,
    policy: () => settings.sandbox.policy,
    tell: (event) => feed.tell(event),
  });
  const settings = createThreadSettings({
    config,
    person: own.person && restUntilAnswered(own.person, rest),
    shellName: shell.name,
    findDay: () => host.localDay(host.now()),
    lastDay: findLastDay(entries, host),
    notes: state.notes,
    toldElsewhere: findToldElsewhere(entries),
    takes: () => server.takes,
    openSandbox: (current, within) =>
      createSandbox(current, host, {
        worktree: own.worktree,
        backends,
        logins,
        warn,
        hosts,
        ...(within && { within }),
      }),
    opener: parent && { settings: parent.bounds.settings, isFollowed: own.followsParent },
    warn,
  });
  const promptFiles = gatePromptFiles(shared.promptFiles, () => toPromptGate(settings.config, settings.sandbox.policy));
  return { shared, own, shell, settings, state, feed, hosts, secrets, promptFiles };
}

function openThreadBudget({ shared, own, settings, state: { notes } }: ThreadBase): ThreadBudget {
  const { config } = settings;
  const clock = createClock(shared.host);
  return createThreadBudget({
    settings: config.budget,
    parent: own.budget,
    clock,
    notes,
    ...toPriced(shared, config),
  });
}

/** The time of an answer is not the turn's. */
function restUntilAnswered(person: Person, rest: ThreadBudget["rest"]): Person {
  return {
    ...(person.takes && { takes: person.takes }),
    async answer(question, signal) {
      const wake = rest();
      signal.addEventListener("abort", wake, { once: true }); // whether or not the person heeds it
      try {
        return await person.answer(question, signal);
      } finally {
        signal.removeEventListener("abort", wake);
        wake();
      }
    },
  };
}

function requireOpen(thread: Thread | null): Thread {
  if (thread === null) throw new HarnessError("closed", "The thread is not open yet.");
  return thread;
}

/** The depth and the bounds of a sub-agent's thread outlast the process. */
function noteParent(
  { parent, tree: { depth }, only, without, role, worktree, followsParent }: SettledThread,
  { notes }: ThreadState,
): void {
  if (parent === null || notes.get("parent") !== null) return;
  const bounds = { tools: only, ...(without.length > 0 && { withoutTools: without }), hasOwnSandbox: !followsParent };
  notes.set("parent", { threadId: parent.id, depth, ...bounds, ...(role && { role }), ...(worktree && { worktree }) });
}

/** Reads the roles of a thread once, when they are needed. */
function createRoleReader(base: ThreadBase): () => Promise<FoundRoles> {
  let roles: Promise<FoundRoles> | null = null;
  const read = async (): Promise<FoundRoles> => {
    const found = await findRoles(toSkillContext(base), base.promptFiles);
    for (const message of found.warnings) base.feed.tell({ type: "warning", message });
    return joinRoles(base.own.agents, found.roles);
  };
  return () => (roles ??= read());
}

/** The outputs of calls that were cut off while their sub-agents ran. */
function toCutOutputs(restored: readonly RestoredAgent[]): ReadonlyMap<string, string> {
  const cut = restored.filter(
    ({ hasOutput, report, cutTurns }) => !hasOutput && (report !== null || cutTurns !== null),
  );
  return new Map(
    cut.flatMap((agent) => {
      const { callId, progress, report } = agent;
      if (callId === null) return [];
      return [[callId, report === null ? renderCut(agent) : renderReport(progress, report)] as const];
    }),
  );
}

function findLastDay(entries: readonly JournalEntry[], host: Host): LocalDay | null {
  const last = entries.findLast((entry) => entry.type === "request")?.request.sentAt ?? null;
  return last === null ? null : host.localDay(last);
}

/** The settings of a turn that another program ran after our last one. */
function findToldElsewhere(entries: readonly JournalEntry[]): RecordedSettings | null {
  const at = entries.findLastIndex(({ type }) => type === "turn.started" || type === "turn.ended");
  if (entries[at]?.type !== "turn.ended") return null;
  const later = entries.slice(at).flatMap((entry) => (entry.type === "settings" ? [entry.settings] : []));
  return later.findLast((settings) => !isOwnRecord(settings)) ?? null;
}

const weakerNotice =
  "Commands run in the weaker sandbox (Landlock), which sandbox.allow_weaker allows. unroll sandbox --explain lists its gaps.";

function listWarnings({ own, settings, shared, state }: ThreadBase, prompt: InitialPrompt): readonly string[] {
  const { config, sandbox } = settings;
  const { items } = state.inbox;
  return [
    // a thread that is there has another effort
    ...config.warnings.filter(({ code }) => code !== "effort_refused").map(({ message }) => message),
    ...listModelWarnings(shared, config),
    ...sandbox.warnings,
    ...(sandbox.reported?.backend === "landlock" && !own.reportsSandbox ? [weakerNotice] : []),
    ...prompt.warnings,
    ...warnOfVariables(shared.config, shared.host),
    ...(items.length === 0 ? [] : [describeWaiting(items)]),
  ];
}
