import type { AgentProgress, AgentWorktree, ItemStatus } from "@unroll/protocol";
import { countEach, formatDollars, formatTokens } from "@unroll/text";

/**
 * `running · pnpm test · 12.3k tokens (8k cached) · $0.044 · worktree unroll/0a1b2c3d4e5f`; then the file of its diff. `status`: of the
 * item that shows it; one without a recorded end does not say whether it still runs. Absent: it is known now.
 */
export function describeAgent(agent: AgentProgress, status?: ItemStatus): string {
  const { state, last_action: action, cost, worktree } = agent;
  const now = state === "running" && status === "unknown" ? [] : [state];
  const doing = state === "running" && action !== null ? [action] : [];
  const price = cost === null ? [] : [formatDollars(cost)];
  return [...now, ...doing, describeTokens([agent]), ...price, ...describeWorktree(worktree)].join(" · ");
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

/** The sums of sub-agents with all below them: `sub-agents: 2 (1 completed, 1 running), 12.3k tokens (8k cached), $0.044`; empty: there are none. */
export function describeAgents(agents: readonly AgentProgress[]): string {
  if (agents.length === 0) return "";
  const all = listAgents(agents).map(({ agent }) => agent);
  const cost = sumAgentCosts(agents);
  const price = cost === null ? "" : `, ${formatDollars(cost)}`;
  const states = countEach(all.map(({ state }) => state));
  return `sub-agents: ${all.length} (${states}), ${describeTokens(all)}${price}`;
}

/** In US dollars, with all below them; null: the cost of one that used tokens is not known. */
export function sumAgentCosts(agents: readonly AgentProgress[]): number | null {
  const paid = agents.filter((agent) => listAgents([agent]).some((each) => each.agent.tokens > 0));
  return paid.reduce<number | null>((sum, { cost }) => (sum === null || cost === null ? null : sum + cost), 0);
}

function describeTokens(agents: readonly AgentProgress[]): string {
  const tokens = agents.reduce((sum, agent) => sum + agent.tokens, 0);
  const cached = agents.reduce((sum, agent) => sum + (agent.cached_tokens ?? 0), 0);
  return `${formatTokens(tokens)} tokens${cached === 0 ? "" : ` (${formatTokens(cached)} cached)`}`;
}

function describeWorktree(worktree: AgentWorktree | undefined): readonly string[] {
  if (worktree === undefined) return [];
  return [worktree.patch === null ? `worktree ${worktree.branch}` : `diff ${worktree.patch}`];
}
