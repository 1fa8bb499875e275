import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { applyChange, type ResolvedConfig } from "@unroll/config";
import type { JournalEntry, Person, ThreadUsage } from "@unroll/protocol";
import type { AgentTask } from "@unroll/tools";
import { type AgentPool, createAgentPool } from "../agents/agent-pool.ts";
import type { OpenedAgent } from "../agents/agent-ports.ts";
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
import type { SettledThread, ThreadRequest } from "./settle-thread.ts";
import type { Thread } from "./thread.ts";

/** The thread whose sub-agents these are. */
export interface AgentsPlace {
  readonly base: ThreadBase;
  readonly own: SettledThread;
  readonly request: ThreadRequest;
  readonly restored: readonly RestoredAgent[];
  /** To be called when a tool runs. */
  readonly thread: () => Thread;
  readonly start: (shared: SharedParts, request: ThreadRequest) => Promise<Thread>;
  readonly names: () => { readonly wait: string; readonly send: string };
}

/** The sub-agents that a thread can start: threads with it as their parent, and with a part of its budget. */
export function openAgents({ base, own, request, start, thread, ...place }: AgentsPlace): AgentPool<Thread> {
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
    const limits = { maxTokens, maxCost: isPriced ? maxCost : null };
    const options = {
      parent,
      person: own.person && nameAsker(own.person, name, own.id),
      tools: own.tools,
      ...(own.builtins && { builtins: own.builtins }),
      ...(own.instructions !== null && { instructions: own.instructions }),
      budget: followBudget(() => parent.budget, clock).child(limits, "sub-agent", spent ?? nothingSpent),
      cacheShard: 0,
      ...(request.options.ephemeral === true && { ephemeral: true }),
      ...(request.options.loadModel && { loadModel: request.options.loadModel }),
    };
    const bounds = { followsParent: task.sandbox === null, only: task.tools };
    const opened = await start(shared, { origin, options, config, ...bounds, owner: null });
    return { thread: opened, isPriced };
  }

  async function settle({ model, effort, folder, sandbox }: Settings): Promise<ResolvedConfig> {
    const config = await loadModel(model);
    if (folder !== null) await checkFolder(resolve(config.cwd, folder));
    const change = {
      ...(folder !== null && { cwd: folder }),
      ...(sandbox !== null && { sandboxMode: sandbox }),
      ...(effort !== null && { reasoningEffort: effort }),
    };
    return applyChange(config, settleChange(change, config));
  }

  async function loadModel(model: string | null): Promise<ResolvedConfig> {
    const { config } = settings;
    if (model === null || model === config.model) return config;
    const { loadModel: load } = request.options;
    if (load !== undefined) return load({ model, provider: config.provider.id }, config);
    return shared.settleConfig("agent", { model });
  }

  return createAgentPool({
    open: (task, name) => open({ type: "new" }, { ...task, name, spent: null }),
    resume: async (id, name) => {
      const entries = (await shared.store?.load(id))?.entries ?? [];
      return open({ type: "stored", id }, { ...readTask(entries), name });
    },
    isKept: () => own.isKept(),
    journal: state.journal,
    tell: (event) => feed.tell(event),
    clock: { ...clock, now: () => shared.host.now() },
    tree: own.tree,
    limits: () => settings.config.agents,
    keepTold: (told) => state.notes.set("agentsTold", told),
    names: place.names,
    restored: place.restored,
  });
}

/** The settings that a sub-agent has of its own. */
type Settings = Pick<AgentTask, "model" | "effort" | "folder" | "sandbox">;

interface OwnTask extends Settings, Pick<AgentTask, "tools"> {
  readonly name: string;
  /** Its usage so far; null: none. */
  readonly spent: ThreadUsage | null;
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
