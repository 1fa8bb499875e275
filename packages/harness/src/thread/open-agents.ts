import { existsSync } from "node:fs";
import type { ResolvedConfig } from "@unroll/config";
import type { AgentRole } from "@unroll/prompt";
import type { JournalEntry, Person, ThreadUsage, ThreadWorktree } from "@unroll/protocol";
import type { AgentTask } from "@unroll/tools";
import { type AgentPool, createAgentPool } from "../agents/agent-pool.ts";
import type { OpenedAgent } from "../agents/agent-ports.ts";
import {
  type AgentPlace,
  findWorktreeObstacle,
  openAgentWorktree,
  settleLeft,
  worktreeInstructions,
} from "../agents/agent-worktree.ts";
import { findRole, type FoundRoles, meetSandbox } from "../agents/agent-roles.ts";
import { restoreAgents, type RestoredAgent } from "../agents/restore-agents.ts";
import { readNote } from "../base/parse-note.ts";
import type { SharedParts } from "../base/shared-parts.ts";
import type { ThreadBase, ThreadPast } from "../base/thread-base.ts";
import { createClock } from "../host/create-clock.ts";
import { HarnessError } from "../harness-error.ts";
import { nothingSpent } from "../guard/budget.ts";
import type { ThreadBudget } from "../guard/thread-budget.ts";
import { followBudget } from "../sub-agent/follow-budget.ts";
import { toPriced } from "./change-model.ts";
import { type AgentSettings, settleAgent } from "./settle-agent.ts";
import { meetNames, type SettledThread, type ThreadRequest } from "./settle-thread.ts";
import type { Thread } from "./thread.ts";

/** The thread whose sub-agents these are. */
export interface AgentsPlace {
  readonly base: ThreadBase;
  readonly own: SettledThread;
  readonly request: ThreadRequest;
  readonly restored: readonly RestoredAgent[];
  readonly readRoles: () => Promise<FoundRoles>;
  readonly budget: Pick<ThreadBudget, "rest">;
  /** To be called when a tool runs. */
  readonly thread: () => Thread;
  readonly start: (shared: SharedParts, request: ThreadRequest) => Promise<Thread>;
  readonly names: () => { readonly wait: string; readonly send: string };
}

/** The sub-agents that a thread can start: threads with it as their parent, and with a part of its budget. */
export function openAgents({ base, own, request, readRoles, start, thread, ...place }: AgentsPlace): AgentPool<Thread> {
  const { shared, settings, state, feed } = base;
  const clock = createClock(shared.host);

  /** It begins or continues in its worktree, or in a folder. */
  async function open(origin: AgentOrigin, task: OwnTask): Promise<OpenedAgent<Thread>> {
    const from = task.worktree?.from ?? null;
    if (from === null) return openIn(null, origin, task);
    const opened = await openAgentWorktree(origin.id, from, { ...shared, config: settings.config });
    try {
      return await openIn(opened, origin, { ...task, folder: opened.folder });
    } catch (error) {
      await opened.settle(true);
      throw error;
    }
  }

  async function openIn(
    place: AgentPlace | null,
    origin: AgentOrigin,
    { name, spent, ...task }: OwnTask,
  ): Promise<OpenedAgent<Thread>> {
    const { maxCost, maxTokens } = settings.config.agents;
    const { projectTrust } = settings.config;
    // it is the same project, so it is trusted as much
    const config = { ...(await settleAgent(task, { base, request })), ...(place && { projectTrust }) };
    const isPriced = toPriced(shared, config).price !== null;
    const parent = thread();
    const limits = { maxTokens, maxCost: isPriced ? maxCost : null, maxTurns: task.role?.maxTurns ?? null };
    const options = {
      id: origin.id,
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
    const worktree = place && { worktree: place.noted };
    const opened = await start(shared, { origin, options, config, ...bounds, ...worktree, owner: null });
    if (place !== null && !own.isKept()) opened.onClose(async () => void (await place.settle(true)));
    return { thread: opened, isPriced, place };
  }

  return createAgentPool({
    open: async (task, name) => {
      const role = task.role === null ? null : findRole(await readRoles(), task.role);
      const limited = limitTask(task, role);
      const isChanging = limited.sandbox !== "read-only" && settings.sandbox.policy.mode !== "read-only";
      const isApart = task.worktree || (role?.worktree === true && isChanging);
      const worktree = isApart ? await readPlace(base, limited) : null;
      return open({ type: "new", id: shared.host.newId() }, { ...limited, ...worktree, name });
    },
    resume: async (id, name) => {
      const entries = (await shared.store?.load(id))?.entries ?? [];
      const task = readTask(entries);
      if (task.worktree !== null && !existsSync(task.worktree.tree)) await checkWorktree(base); // it is made again
      return open({ type: "stored", id }, { ...task, name });
    },
    isKept: () => own.isKept(),
    journal: state.journal,
    tell: (event) => feed.tell(event),
    newId: () => shared.host.newId(),
    clock: { ...clock, now: () => shared.host.now() },
    rest: () => place.budget.rest(),
    tree: own.tree,
    limits: () => ({ ...settings.config.agents, enabled: settings.config.agents.enabled || own.agents !== null }),
    keepTold: (told) => state.notes.set("agentsTold", told),
    names: place.names,
    restored: place.restored,
  });
}

/** A thread that begins, or continues. */
type AgentOrigin = { readonly type: "new" | "stored"; readonly id: string };

interface OwnTask extends AgentSettings, Pick<AgentTask, "tools"> {
  readonly name: string;
  /** Null: it works in a folder. */
  readonly worktree: Pick<ThreadWorktree, "from"> | null;
  readonly withoutTools: readonly string[];
  /** Its usage so far; null: none. */
  readonly spent: ThreadUsage | null;
}

/** A new task within its role. */
function limitTask(
  { tools, sandbox, model, effort, folder }: AgentTask,
  role: AgentRole | null,
): Omit<OwnTask, "name"> {
  const worktree = null;
  if (role === null) return { tools, withoutTools: [], sandbox, model, effort, folder, worktree, role, spent: null };
  const { instructions, approvalPolicy, maxTurns, withoutTools } = role;
  return {
    tools: meetNames(tools, role.tools),
    withoutTools,
    sandbox: meetSandbox(sandbox, role.sandboxMode),
    model: model ?? role.model,
    effort: effort ?? role.reasoningEffort,
    folder,
    worktree,
    role: { instructions, approvalPolicy, maxTurns },
    spent: null,
  };
}

/** A task for a worktree, made from the working folder. Throws the reason why there is none. */
async function readPlace(
  base: ThreadBase,
  { folder, sandbox, role }: Pick<OwnTask, "folder" | "sandbox" | "role">,
): Promise<Pick<OwnTask, "worktree" | "role">> {
  const obstacle =
    folder !== null
      ? "Give a folder or a worktree, not both."
      : sandbox === "read-only"
        ? "Its sandbox is read-only, so a worktree is of no use to it."
        : null;
  if (obstacle !== null) throw new HarnessError("invalid_options", obstacle);
  await checkWorktree(base);
  const { instructions = null, approvalPolicy = null, maxTurns = null } = role ?? {};
  const told = [instructions ?? "", worktreeInstructions].filter((text) => text !== "").join("\n\n");
  return { worktree: { from: base.settings.config.cwd }, role: { instructions: told, approvalPolicy, maxTurns } };
}

async function checkWorktree({ shared, settings }: ThreadBase): Promise<void> {
  const obstacle = await findWorktreeObstacle(shared, settings);
  if (obstacle !== null) throw new HarnessError("invalid_options", obstacle);
}

/** The settings of a saved sub-agent and its usage: it continues with the same limits. */
function readTask(
  entries: readonly JournalEntry[],
): Omit<OwnTask, "name"> & { readonly worktree: ThreadWorktree | null } {
  const settings = entries.findLast((entry) => entry.type === "settings")?.settings ?? null;
  const parent = readNote(entries, "parent");
  return {
    model: settings?.model ?? null,
    effort: settings?.reasoningEffort ?? null,
    folder: settings?.cwd ?? null,
    worktree: parent?.worktree ?? null,
    sandbox: parent?.hasOwnSandbox === true ? (settings?.sandboxMode ?? null) : null,
    tools: parent?.tools ?? null,
    withoutTools: parent?.withoutTools ?? [],
    role: parent?.role ?? null,
    spent: readNote(entries, "spent"),
  };
}

/** The sub-agents of a thread that is resumed, with what was saved of them. */
export function readRestored(
  shared: SharedParts,
  config: ResolvedConfig,
  { entries }: ThreadPast,
): Promise<readonly RestoredAgent[]> {
  return restoreAgents(entries, {
    load: async (threadId) => {
      const stored = await shared.store?.load(threadId).catch(() => null); // a thread without a turn is not saved
      return stored?.entries ?? null;
    },
    settle: (threadId, noted) => settleLeft(threadId, noted, { ...shared, config }),
  });
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
