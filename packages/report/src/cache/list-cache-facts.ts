import type { AgentAccount, RequestRow, ThreadAccount, TreeAccount } from "@unroll/accounting";
import { cutAgents } from "./render-agents-table.ts";

/**
 * The objects that `--json` prints for a thread: one per request, one per sub-agent, then the total, with the sum of the tree if there are
 * sub-agents. Names are the wire's.
 */
export function listCacheFacts(
  threadId: string,
  account: ThreadAccount,
  tree: TreeAccount | null = null,
): readonly object[] {
  const agents = tree?.agents ?? [];
  const { rows, turns, usage, cost, unpricedRequests } = account;
  const total = {
    type: "thread",
    thread_id: threadId,
    requests: rows.length,
    turns,
    usage,
    cost_usd: toUsd(cost?.withCache),
    cost_without_cache_usd: toUsd(cost?.withoutCache),
    unpriced_requests: unpricedRequests,
    ...(tree && agents.length > 0 && { with_agents: { agents: agents.length, ...toCountedFacts(tree.total) } }),
  };
  return [...rows.map(toFacts), ...cutAgents(agents).shown.map(toAgentFacts), total];
}

function toAgentFacts(agent: AgentAccount): object {
  const { name, threadId, state, account, startTokens, startSharedTokens, startCachedTokens } = agent;
  return {
    type: "agent",
    name,
    thread_id: threadId,
    state,
    ...(account === null ? { requests: null } : toCountedFacts(account)),
    first_input_tokens: startTokens,
    first_shared_tokens: startSharedTokens,
    first_cached_tokens: startCachedTokens,
  };
}

function toCountedFacts({ requests, usage, cost, unpricedRequests }: TreeAccount["total"]): object {
  return {
    requests,
    usage,
    cost_usd: toUsd(cost?.withCache),
    cost_without_cache_usd: toUsd(cost?.withoutCache),
    unpriced_requests: unpricedRequests,
  };
}

function toFacts(row: RequestRow): object {
  return {
    type: "request",
    request: row.request,
    turn: row.turn,
    sent_at: row.sentAt === null ? null : new Date(row.sentAt).toISOString(),
    model: row.model,
    input_tokens: row.inputTokens,
    shared_tokens: row.sharedTokens,
    cached_tokens: row.cachedTokens,
    uncached_tokens: row.uncachedTokens,
    cache_write_tokens: row.writtenTokens,
    output_tokens: row.outputTokens,
    added_bytes: row.addedBytes,
    is_beside: row.isBeside,
    miss: row.miss,
    cost_usd: toUsd(row.cost?.withCache),
    cost_without_cache_usd: toUsd(row.cost?.withoutCache),
  };
}

/** Without what adding up leaves behind the ninth digit. */
function toUsd(cost: number | undefined): number | null {
  return cost === undefined ? null : Number(cost.toFixed(9));
}
