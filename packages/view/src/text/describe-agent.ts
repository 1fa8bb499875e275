import type { AgentProgress, AgentWorktree } from "@unroll/protocol";
import { formatDollars, formatTokens } from "@unroll/text";

/** `running · pnpm test · 12.3k tokens (8k cached) · $0.044 · worktree unroll/0a1b2c3d4e5f`; then the file of its diff. */
export function describeAgent(agent: AgentProgress): string {
  const { state, last_action: action, cost, worktree } = agent;
  const doing = state === "running" && action !== null ? [action] : [];
  const price = cost === null ? [] : [formatDollars(cost)];
  return [state, ...doing, describeTokens(agent), ...price, ...describeWorktree(worktree)].join(" · ");
}

/** Sub-agents with their own ones behind each, by name: `worker`, then `worker / explorer 2`. */
export function listAgents(agents: readonly AgentProgress[], parent: NamedAgent | null = null): readonly NamedAgent[] {
  return agents.flatMap((agent) => {
    const name = parent === null ? agent.name : `${parent.name} / ${agent.name}`;
    const named = { name, agent, parentId: parent?.agent.thread_id ?? null };
    return [named, ...listAgents(agent.agents ?? [], named)];
  });
}

/** A sub-agent in its tree. */
interface NamedAgent {
  readonly name: string;
  readonly agent: AgentProgress;
  /** The thread of the sub-agent that started it; null: it is the first one. */
  readonly parentId: string | null;
}

/** `12.3k tokens (8k cached)`: of one sub-agent, or of several. */
export function describeTokens(...agents: readonly AgentProgress[]): string {
  const tokens = agents.reduce((sum, agent) => sum + agent.tokens, 0);
  const cached = agents.reduce((sum, agent) => sum + (agent.cached_tokens ?? 0), 0);
  return `${formatTokens(tokens)} tokens${cached === 0 ? "" : ` (${formatTokens(cached)} cached)`}`;
}

function describeWorktree(worktree: AgentWorktree | undefined): readonly string[] {
  if (worktree === undefined) return [];
  return [worktree.patch === null ? `worktree ${worktree.branch}` : `diff ${worktree.patch}`];
}
