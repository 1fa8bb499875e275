import type { OpenedThread, WireThread, WireThreadStatus, WireTurn } from "@unroll/app-server-protocol";
import { summarizeStored } from "@unroll/thread-host";
import type { ProcessIo } from "@unroll/program";
import type { StoredThread, ThreadSummary } from "@unroll/protocol";
import type { LiveThread } from "../thread/threads.ts";
import { toWireSettings } from "../map/to-wire-settings.ts";
import { toActive } from "../map/to-wire-turn.ts";

interface ServerFacts {
  readonly version: string;
  readonly io: Pick<ProcessIo, "cwd">;
}

/** The name of a sub-agent, and its role. */
export type AgentNames = Pick<WireThread, "agentNickname" | "agentRole">;

const noNames: AgentNames = { agentNickname: null, agentRole: null };

/** `status` is null if the thread is not open. */
export function describeSummary(
  summary: Omit<ThreadSummary, "turns" | "usage" | "size">,
  status: WireThreadStatus | null,
  { version, io, names = noNames }: ServerFacts & { readonly names?: AgentNames },
): WireThread {
  const { threadId: id, branch } = summary;
  return {
    id,
    sessionId: id,
    forkedFromId: summary.forkedFrom?.threadId ?? null,
    parentThreadId: summary.parent?.threadId ?? null,
    projectId: null,
    preview: summary.title ?? "",
    name: summary.name,
    ephemeral: false,
    modelProvider: summary.provider ?? "",
    model: summary.model,
    createdAt: toSeconds(summary.createdAt),
    updatedAt: toSeconds(summary.usedAt),
    status: status ?? { type: "notLoaded" },
    path: summary.path ?? null,
    cwd: summary.cwd ?? io.cwd,
    cliVersion: version,
    source: toSource(summary, names),
    ...names,
    gitInfo: branch === null ? null : { branch, sha: null, originUrl: null },
    turns: [],
  };
}

/** A thread that does not say it is one of the terminal. */
function toSource(
  { source = null, parent = null }: Pick<ThreadSummary, "source" | "parent">,
  { agentNickname: agent_nickname, agentRole: agent_role }: AgentNames,
): WireThread["source"] {
  if (parent !== null) {
    const { threadId: parent_thread_id, depth } = parent;
    return { subAgent: { thread_spawn: { parent_thread_id, depth, agent_path: null, agent_nickname, agent_role } } };
  }
  if (source === null) return "cli";
  return source === "cli" || source === "vscode" || source === "exec" ? source : "unknown";
}

export function describeStored(
  stored: StoredThread,
  { turns = [], status = null, names = noNames }: StoredFacts,
  server: ServerFacts,
): WireThread {
  return { ...describeSummary(summarizeStored(stored), status, { ...server, names }), turns: [...turns] };
}

interface StoredFacts {
  /** Absent: they are not asked for. */
  readonly turns?: readonly WireTurn[];
  /** Absent or null: it is not open. */
  readonly status?: WireThreadStatus | null;
  readonly names?: AgentNames;
}

export function describeLive(live: LiveThread, turns: readonly WireTurn[], server: ServerFacts): WireThread {
  const { id: threadId, config, preview: title, name, isEphemeral, createdAt, usedAt } = live;
  const { cwd, model, provider } = config;
  const forkedFrom = live.forkedFrom === null ? null : { threadId: live.forkedFrom, turns: null, title: null };
  const facts = {
    threadId,
    createdAt,
    usedAt,
    cwd,
    branch: null,
    ...live.origin,
    name,
    title,
    model,
    provider: provider.id,
  };
  const described = describeSummary({ ...facts, forkedFrom }, toStatus(live), server);
  return { ...described, ephemeral: isEphemeral, turns: [...turns] };
}

export function toStatus({ isRunning, client }: LiveThread): WireThreadStatus {
  return isRunning ? toActive(client.isAsking) : { type: "idle" };
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}

export function toOpened(live: LiveThread, turns: readonly WireTurn[], server: ServerFacts): OpenedThread {
  const { sandboxPolicy: sandbox, effort: reasoningEffort, summary: _, ...own } = toWireSettings(live);
  return {
    thread: describeLive(live, turns, server),
    ...own,
    sandbox,
    reasoningEffort,
    runtimeWorkspaceRoots: [own.cwd],
    instructionSources: [],
  };
}
