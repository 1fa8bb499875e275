import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { applyChange, findSmallModel, type ResolvedConfig } from "@unroll/config";
import type { AgentRole } from "@unroll/prompt";
import type { JournalEntry, Person, ThreadRole, ThreadUsage } from "@unroll/protocol";
import type { AgentTask } from "@unroll/tools";
import { type AgentPool, createAgentPool } from "../agents/agent-pool.ts";
import type { OpenedAgent } from "../agents/agent-ports.ts";
import { findRole, type FoundRoles, meetSandbox } from "../agents/agent-roles.ts";
import { restoreAgents, type RestoredAgent } from "../agents/restore-agents.ts";
import { readNote } from "../base/parse-note.ts";
import type { SharedParts } from "../base/shared-parts.ts";
import type { ThreadBase, ThreadPast } from "../base/thread-base.ts";
import { createClock } from "../host/create-clock.ts";
import { HarnessError } from "../harness-error.ts";
import { settleChange } from "../settings/settle-change.ts";
import { nothingSpent } from "../guard/budget.ts";
import { followBudget } from "../sub-agent/follow-budget.ts";
import { toPriced } from "./change-model.ts";
import { meetNames, type SettledThread, type ThreadRequest } from "./settle-thread.ts";
import type { Thread } from "./thread.ts";

/** The thread whose sub-agents these are. */
export interface AgentsPlace {
  readonly base: ThreadBase;
  readonly own: SettledThread;
  readonly request: ThreadRequest;
  readonly restored: readonly RestoredAgent[];
  readonly readRoles: () => Promise<FoundRoles>;
  /** To be called when a tool runs. */
  readonly thread: () => Thread;
  readonly start: (shared: SharedParts, request: ThreadRequest) => Promise<Thread>;
  readonly names: () => { readonly wait: string; readonly send: string };
}

/** The sub-agents that a thread can start: threads with it as their parent, and with a part of its budget. */
export function openAgents({ base, own, request, readRoles, start, thread, ...place }: AgentsPlace): AgentPool<Thread> {
  const { shared, settings, state, feed } = base;
  const clock = createClock(shared.host);

  async function open(
    origin: ThreadRequest["origin"],
    { name, spent, ...task }: OwnTask,
  ): Promise<OpenedAgent<Thread>> {
    const { maxCost, maxTokens } = settings.config.agents;
    const config = await settle(task);
    const isPriced = toPriced(shared, config).price !== null;
    const parent = thread();
    const limits = { maxTokens, maxCost: isPriced ? maxCost : null, maxTurns: task.role?.maxTurns ?? null };
    const options = {
      parent,
      person: own.person && nameAsker(own.person, name, own.id),
      tools: own.tools,
      ...(request.options.agents && { agents: request.options.agents }),
      ...(own.builtins && { builtins: own.builtins }),
      ...(own.instructions !== null && { instructions: own.instructions }),
      budget: followBudget(() => parent.budget, clock).child(limits, "sub-agent", spent ?? nothingSpent),
      cacheShard: 0,
      ...(request.options.ephemeral === true && { ephemeral: true }),
      ...(request.options.loadModel && { loadModel: request.options.loadModel }),
      ...(request.options.loadAgentModel && { loadAgentModel: request.options.loadAgentModel }),
    };
    const { sandbox, tools: only, withoutTools: without, role } = task;
    const followsParent = sandbox === null && (role?.approvalPolicy ?? null) === null;
    const bounds = { followsParent, only, without, ...(role && { role }) };
    const opened = await start(shared, { origin, options, config, ...bounds, owner: null });
    return { thread: opened, isPriced };
  }

  async function settle({ model, effort, folder, sandbox, role }: Settings): Promise<ResolvedConfig> {
    const config = await loadModel(model);
    const approvalPolicy = role?.approvalPolicy ?? null;
    if (folder !== null) await checkFolder(resolve(config.cwd, folder));
    const change = {
      ...(folder !== null && { cwd: folder }),
      ...(sandbox !== null && { sandboxMode: sandbox }),
      ...(approvalPolicy !== null && { approvalPolicy }),
      ...(effort !== null && { reasoningEffort: effort }),
    };
    return applyChange(config, settleChange(change, config));
  }

  async function loadModel(model: string | null): Promise<ResolvedConfig> {
    const { config } = settings;
    if (model === "small") return loadModel(findSmall(config)).catch(() => config);
    if (model === null || model === config.model) return config;
    const { loadAgentModel } = request.options;
    if (loadAgentModel !== undefined) return loadAgentModel({ model, provider: config.provider.id }, config);
    return shared.settleConfig("agent", { model });
  }

  return createAgentPool({
    open: async (task, name) => {
      const role = task.role === null ? null : findRole(await readRoles(), task.role);
      return open({ type: "new" }, { ...limitTask(task, role), name });
    },
    resume: async (id, name) => {
      const entries = (await shared.store?.load(id))?.entries ?? [];
      return open({ type: "stored", id }, { ...readTask(entries), name });
    },
    isKept: () => own.isKept(),
    journal: state.journal,
    tell: (event) => feed.tell(event),
    clock: { ...clock, now: () => shared.host.now() },
    tree: own.tree,
    limits: () => ({ ...settings.config.agents, enabled: settings.config.agents.enabled || own.agents !== null }),
    keepTold: (told) => state.notes.set("agentsTold", told),
    names: place.names,
    restored: place.restored,
  });
}

/** The settings that a sub-agent has of its own. */
interface Settings extends Pick<AgentTask, "model" | "effort" | "folder" | "sandbox"> {
  /** Null: it has none, or one that says nothing of it. */
  readonly role: ThreadRole | null;
}

interface OwnTask extends Settings, Pick<AgentTask, "tools"> {
  readonly name: string;
  readonly withoutTools: readonly string[];
  /** Its usage so far; null: none. */
  readonly spent: ThreadUsage | null;
}

function findSmall({ agents, catalogue, model, provider }: ResolvedConfig): string | null {
  return agents.smallModel ?? findSmallModel(catalogue, model, provider.id);
}

/** A new task within its role. */
function limitTask(
  { tools, sandbox, model, effort, folder }: AgentTask,
  role: AgentRole | null,
): Omit<OwnTask, "name"> {
  if (role === null) return { tools, withoutTools: [], sandbox, model, effort, folder, role, spent: null };
  const { instructions, approvalPolicy, maxTurns, withoutTools } = role;
  return {
    tools: meetNames(tools, role.tools),
    withoutTools,
    sandbox: meetSandbox(sandbox, role.sandboxMode),
    model: model ?? role.model,
    effort: effort ?? role.reasoningEffort,
    folder,
    role: { instructions, approvalPolicy, maxTurns },
    spent: null,
  };
}

/** The settings of a saved sub-agent and its usage: it continues with the same limits. */
function readTask(entries: readonly JournalEntry[]): Omit<OwnTask, "name"> {
  const settings = entries.findLast((entry) => entry.type === "settings")?.settings ?? null;
  const parent = readNote(entries, "parent");
  return {
    model: settings?.model ?? null,
    effort: settings?.reasoningEffort ?? null,
    folder: settings?.cwd ?? null,
    sandbox: parent?.hasOwnSandbox === true ? (settings?.sandboxMode ?? null) : null,
    tools: parent?.tools ?? null,
    withoutTools: parent?.withoutTools ?? [],
    role: parent?.role ?? null,
    spent: readNote(entries, "spent"),
  };
}

/** The sub-agents of a thread that is resumed, with what was saved of them. */
export function readRestored({ store }: SharedParts, { entries }: ThreadPast): Promise<readonly RestoredAgent[]> {
  return restoreAgents(entries, async (threadId) => {
    const stored = await store?.load(threadId).catch(() => null); // a thread without a turn is not saved
    return stored?.entries ?? null;
  });
}

async function checkFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() !== true) throw new HarnessError("invalid_options", `There is no folder ${path}.`);
}

/**
 * The person of the parent, whose questions name the sub-agent that asks: the deepest one, with those above it. For the person
 * they come from the parent's thread: its clients may not know the other one, and items of two threads have the same ids.
 */
function nameAsker(person: Person, name: string, threadId: string): Person {
  return {
    ...(person.takes && { takes: person.takes }),
    answer: (question, signal) => {
      const agent = question.agent === undefined ? name : `${name}, ${question.agent}`;
      return person.answer({ ...question, agent, threadId, itemId: null }, signal);
    },
  };
}
